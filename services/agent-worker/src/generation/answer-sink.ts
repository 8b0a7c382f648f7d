import type { RunLogWriter } from '@quire/shared/run-log';

/** Where an answer is shown while it is written. */
export class AnswerSink {
  private shown = false;
  private begun = false;

  constructor(
    private readonly writer: RunLogWriter,
    private readonly run: { id: string; attempt: number },
    private readonly onFirstText: () => void = () => {},
  ) {}

  /** Whether the reader has seen something since the last start. */
  get hasShown(): boolean {
    return this.shown;
  }

  delta(text: string): void {
    if (text.length === 0) return;
    if (!this.begun) this.onFirstText();
    this.begun = true;
    this.shown = true;
    this.writer.delta(text);
  }

  /** What was shown so far is void. */
  async startOver(reason: string): Promise<void> {
    if (!this.shown) return;
    this.shown = false;
    const data = { request_id: this.run.id, attempt: this.run.attempt, reason };
    await this.writer.emit({ type: 'reset', data });
  }
}

import type { RunLogWriter } from '@quire/shared/run-log';

/** Shows an answer in the run log while a model writes it. */
export class AnswerSink {
  /** Whether clients have seen text that is not voided. */
  hasShown = false;
  private begun = false;

  constructor(
    private readonly writer: RunLogWriter,
    private readonly run: { id: string; attempt: number },
    private readonly onFirstText: () => void,
  ) {}

  delta(text: string): void {
    if (text.length === 0) return;
    if (!this.begun) this.onFirstText();
    this.begun = true;
    this.hasShown = true;
    this.writer.delta(text);
  }

  /** Voids the text shown so far with a `reset` event. */
  async startOver(reason: string): Promise<void> {
    if (!this.hasShown) return;
    this.hasShown = false;
    const data = { request_id: this.run.id, attempt: this.run.attempt, reason };
    await this.writer.emit({ type: 'reset', data });
  }
}

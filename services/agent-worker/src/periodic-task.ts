import { setTimeout as sleep } from 'node:timers/promises';

/** Does something again and again until it is stopped, never twice at once. */
export class PeriodicTask {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly everyMs: number,
    /** Is told by its signal to come to an end early. */
    private readonly task: (signal: AbortSignal) => Promise<void>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(): void {
    this.running ??= this.loop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // Mostly a store that is away: the next time comes as usual.
      await this.task(signal).catch(this.onFailure);
      await sleep(this.everyMs, undefined, { signal }).catch(() => {});
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a task until it is stopped. Passes never overlap: the next one starts `everyMs` after the last one ended. */
export class PeriodicTask {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  /**
   * @param task gets a signal that fires when the task is stopped, so that a long pass can end early
   * @param onFailure is called when a pass rejects; the next pass comes as usual
   */
  constructor(
    private readonly everyMs: number,
    private readonly task: (signal: AbortSignal) => Promise<void>,
    private readonly onFailure: (error: unknown) => void = () => {},
  ) {}

  start(firstAfterMs = 0): void {
    this.running ??= this.loop(firstAfterMs);
  }

  /** Resolves when the pass under way has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async loop(firstAfterMs: number): Promise<void> {
    const { signal } = this.stopping;
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    if (firstAfterMs > 0) await pause(firstAfterMs);
    while (!signal.aborted) {
      await this.task(signal).catch(this.onFailure);
      await pause(this.everyMs);
    }
  }
}

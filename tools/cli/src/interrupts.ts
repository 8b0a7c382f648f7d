import { linkSignals } from '@quire/shared/process';

/** Ctrl-C ends the interruptible work, else the command, then the program. */
export class Interrupts {
  private readonly command = new AbortController();
  private work: AbortController | undefined;

  /** Fires when the command is to end. */
  readonly signal: AbortSignal = this.command.signal;

  /** Returns false when everything is interrupted already: the program should exit. */
  raise(): boolean {
    const next = this.work ?? this.command;
    if (next.signal.aborted) return false;
    next.abort();
    return true;
  }

  /** Ends the command and its work. */
  endCommand(): void {
    this.command.abort();
  }

  /** Runs work whose interruption does not end the command. */
  async during<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const work = new AbortController();
    const { signal, release } = linkSignals([work.signal, this.signal]);
    this.work = work;
    try {
      return await run(signal);
    } finally {
      this.work = undefined;
      release();
    }
  }
}

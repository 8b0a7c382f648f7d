import { linkSignals } from '@quire/shared/process';

/** What Ctrl-C ends: the piece of work that has taken it for itself, else the command, and then the program. */
export class Interrupts {
  private readonly command = new AbortController();
  private piece: AbortController | undefined;

  /** Fires when the command is to end. */
  readonly signal: AbortSignal = this.command.signal;

  /** Answers false when everything was interrupted before: the user means it. */
  raise(): boolean {
    const next = this.piece ?? this.command;
    if (next.signal.aborted) return false;
    next.abort();
    return true;
  }

  /** Ends the command, whatever is under way. */
  endCommand(): void {
    this.command.abort();
  }

  /** Work whose interruption leaves the command alone. */
  async during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const piece = new AbortController();
    const { signal, release } = linkSignals([piece.signal, this.signal]);
    this.piece = piece;
    try {
      return await work(signal);
    } finally {
      this.piece = undefined;
      release();
    }
  }
}

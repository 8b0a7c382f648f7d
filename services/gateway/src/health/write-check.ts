import { classifyError } from '@quire/shared/errors';

/**
 * Whether a store accepts writes. A health request tries a write, at most once per interval: without traffic only that
 * shows that a disk is full, or has room again. A request's refused write counts at once.
 */
export class WriteCheck {
  private trial: { startedAt: number; problem: Promise<string | undefined> } | undefined;
  private refusal: { noticedAt: number; problem: string } | undefined;

  constructor(
    private readonly tryWrite: () => Promise<unknown>,
    private readonly everyMs: number,
  ) {}

  /** A request's write has failed; errors that are not the store's are ignored. */
  refused(error: unknown): void {
    const problem = problemOf(error);
    if (problem !== undefined) this.refusal = { noticedAt: performance.now(), problem };
  }

  /** A request's write has succeeded. */
  succeeded(): void {
    this.refusal = undefined;
  }

  /** Why the store refuses writes, for operators; undefined if it accepts them. */
  async problem(): Promise<string | undefined> {
    const trial = this.freshTrial();
    const found = await trial.problem;
    if (found !== undefined) return found;
    if (this.refusal && this.refusal.noticedAt <= trial.startedAt) this.refusal = undefined;
    return this.refusal?.problem;
  }

  private freshTrial() {
    const now = performance.now();
    if (!this.trial || now - this.trial.startedAt >= this.everyMs) {
      const problem = this.tryWrite().then(() => undefined, problemOf);
      this.trial = { startedAt: now, problem };
    }
    return this.trial;
  }
}

/** A defect, or a lock that another transaction holds, says nothing about the store. */
function problemOf(error: unknown): string | undefined {
  const { retryable, message } = classifyError(error);
  return retryable ? message : undefined;
}

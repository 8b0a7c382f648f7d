import { classifyError } from '@quire/shared/errors';

/**
 * Whether a store takes writes. A write of its own is tried when health is asked for, but no more often than told,
 * however many ask: with no traffic that alone shows a full disk, and that it has room again. A request whose write was
 * refused is believed at once.
 */
export class WriteCheck {
  private trial: { begunAt: number; problem: Promise<string | undefined> } | undefined;
  private refusal: { noticedAt: number; problem: string } | undefined;

  constructor(
    private readonly tryWrite: () => Promise<unknown>,
    private readonly everyMs: number,
  ) {}

  /** A request's write was refused; what is no trouble of the store is not noted. */
  refused(error: unknown): void {
    const problem = problemOf(error);
    if (problem !== undefined) this.refusal = { noticedAt: performance.now(), problem };
  }

  /** A request's write has succeeded. */
  succeeded(): void {
    this.refusal = undefined;
  }

  /** Why the store takes no writes, in words for people; undefined if it takes them. */
  async problem(): Promise<string | undefined> {
    const trial = this.freshTrial();
    const found = await trial.problem;
    if (found !== undefined) return found;
    if (this.refusal && this.refusal.noticedAt <= trial.begunAt) this.refusal = undefined;
    return this.refusal?.problem;
  }

  private freshTrial() {
    const now = performance.now();
    if (!this.trial || now - this.trial.begunAt >= this.everyMs) {
      const problem = this.tryWrite().then(() => undefined, problemOf);
      this.trial = { begunAt: now, problem };
    }
    return this.trial;
  }
}

/** What is a defect of ours, or a lock that others hold, says nothing about the store. */
function problemOf(error: unknown): string | undefined {
  const { retryable, message } = classifyError(error);
  return retryable ? message : undefined;
}

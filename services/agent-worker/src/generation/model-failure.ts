/**
 * - `unavailable`: not reachable, broken off, silent for too long;
 * - `rate_limited`: asks us to come back later;
 * - `misconfigured`: refuses the key, the model's name or our request as such;
 * - `filtered`: the provider keeps the answer to itself;
 * - `misbehaved`: an answer came, but none that can be shown.
 */
export type ModelFailureKind = 'unavailable' | 'rate_limited' | 'misconfigured' | 'filtered' | 'misbehaved';

/** The model gave no usable answer. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  /** When the provider wants to be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly kind: ModelFailureKind,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * - `unavailable`: not reachable, broken off, silent for too long;
 * - `rate_limited`: asks us to come back later;
 * - `misconfigured`: refuses the key or the model's name;
 * - `rejected`: refuses this one request, for example as too long, and takes others;
 * - `filtered`: the provider keeps the answer to itself;
 * - `misbehaved`: an answer came, but none that can be shown.
 */
export type ModelFailureKind =
  | 'unavailable'
  | 'rate_limited'
  | 'misconfigured'
  | 'rejected'
  | 'filtered'
  | 'misbehaved';

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

import { DependencyUnavailable } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import { ProviderMisconfigured, TextsRefused } from './provider-failure.js';

type Outage = DependencyUnavailable | ProviderMisconfigured;

const OPEN_MS = 5000;

export interface ProviderBreakerOptions {
  /** What the provider is needed for, as the subject of log messages: `Embedding of questions`. */
  work: string;
  /** How long the breaker stays open, unless the provider asks for longer. */
  openMs?: number | undefined;
  logger: Logger;
}

/**
 * This process' circuit breaker for one provider: after a failure, calls fail at once with the same error until
 * `openMs` is over, so that not every question waits for the timeout. Then one call probes; its success closes the breaker.
 */
export class ProviderBreaker {
  #outage: Outage | undefined;
  #openUntil = 0;
  #probing = false;

  constructor(private readonly options: ProviderBreakerOptions) {}

  async call<T>(work: () => Promise<T>): Promise<T> {
    const isProbe = this.#outage !== undefined;
    if (this.#outage && (this.#probing || performance.now() < this.#openUntil)) throw this.#outage;
    this.#probing = isProbe;
    try {
      const result = await work();
      this.#close();
      return result;
    } catch (error) {
      if (isOutage(error)) this.#open(error);
      throw error;
    } finally {
      // An aborted probe decides nothing: the next call probes.
      if (isProbe) this.#probing = false;
    }
  }

  #open(error: Outage): void {
    const { work, openMs = OPEN_MS, logger } = this.options;
    // Once for each kind of outage, not for each question.
    if (this.#outage?.name !== error.name) {
      const entry = { stage: 'retrieval', error };
      if (error instanceof DependencyUnavailable) logger.warn(entry, `${work} is unavailable`);
      else logger.error(entry, `${work} is misconfigured`);
    }
    this.#outage = error;
    this.#openUntil = performance.now() + Math.max(openMs, (error.retryAfterSeconds ?? 0) * 1000);
  }

  #close(): void {
    const { work, logger } = this.options;
    if (this.#outage) logger.info({ stage: 'retrieval' }, `${work} works again`);
    this.#outage = undefined;
  }
}

/** A refusal of texts may concern one question only, and must not block the others. */
function isOutage(error: unknown): error is Outage {
  return (
    error instanceof DependencyUnavailable ||
    (error instanceof ProviderMisconfigured && !(error instanceof TextsRefused))
  );
}

import { DependencyUnavailable } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import { ProviderMisconfigured, TextsRefused } from './provider-failure.js';

type Outage = DependencyUnavailable | ProviderMisconfigured;

const REST_MS = 5000;

export interface OutageRestOptions {
  /** What cannot be done without the provider, as a log entry begins with it. */
  work: string;
  /** For how long a provider that failed is left alone, unless it asks for longer. */
  restMs?: number | undefined;
  logger: Logger;
}

/**
 * After a provider has failed, work fails at once for a while with what it said, so that an outage does not cost
 * every question its time-out. Then one piece of work is let through; its success ends the outage.
 */
export class OutageRest {
  #outage: Outage | undefined;
  #restUntil = 0;
  #probing = false;

  constructor(private readonly options: OutageRestOptions) {}

  async guard<T>(work: () => Promise<T>): Promise<T> {
    const probe = this.#outage !== undefined;
    if (this.#outage && (this.#probing || performance.now() < this.#restUntil)) throw this.#outage;
    this.#probing = probe;
    try {
      const result = await work();
      this.#end();
      return result;
    } catch (error) {
      if (isOutage(error)) this.#begin(error);
      throw error;
    } finally {
      // A probe that nobody waited for tells nothing: the next piece of work is the probe then.
      if (probe) this.#probing = false;
    }
  }

  #begin(error: Outage): void {
    const { work, restMs = REST_MS, logger } = this.options;
    // Once for each kind of outage, not for each question.
    if (this.#outage?.name !== error.name) {
      const entry = { stage: 'retrieval', error };
      if (error instanceof DependencyUnavailable) logger.warn(entry, `${work} is out of service`);
      else logger.error(entry, `${work} is misconfigured`);
    }
    this.#outage = error;
    this.#restUntil = performance.now() + Math.max(restMs, (error.retryAfterSeconds ?? 0) * 1000);
  }

  #end(): void {
    const { work, logger } = this.options;
    if (this.#outage) logger.info({ stage: 'retrieval' }, `${work} works again`);
    this.#outage = undefined;
  }
}

/** A refusal of texts may be about one question, which must not silence the others. */
function isOutage(error: unknown): error is Outage {
  return (
    error instanceof DependencyUnavailable ||
    (error instanceof ProviderMisconfigured && !(error instanceof TextsRefused))
  );
}

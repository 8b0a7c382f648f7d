import { hashApiKey, isSameHash, prefixOf } from '@quire/shared/api-keys';
import { findApiKey, isValid, type ApiKey, type Database } from '@quire/shared/database';
import { LRUCache } from 'lru-cache';

/** A revoked key is refused everywhere within this time. */
const CACHED_MS = 5000;
const MAX_CACHED = 10_000;

interface LookUp {
  /** Undefined if there is no such key. */
  apiKey: ApiKey | undefined;
}

/**
 * Finds API keys by their secrets. Results are cached for a short time, negative ones too, and concurrent requests share
 * a look-up. While Postgres is away only cached keys are found.
 */
export class ApiKeys {
  /** By hash: the secrets themselves are not kept. */
  private readonly lookUps: LRUCache<string, LookUp, { prefix: string; hash: Buffer }>;

  constructor(
    private readonly db: Database,
    private readonly secret: string,
    maxCached = MAX_CACHED,
  ) {
    this.lookUps = new LRUCache({
      max: maxCached,
      ttl: CACHED_MS,
      fetchMethod: (_, __, { context }) => this.lookUp(context),
      // A look-up that is evicted while it is under way is not cached, but still returns its result.
      ignoreFetchAbort: true,
    });
  }

  async find(key: string): Promise<ApiKey | undefined> {
    const prefix = prefixOf(key);
    if (prefix === undefined) return undefined;
    const hash = hashApiKey(key, this.secret);
    const found = await this.lookUps.fetch(hash.toString('base64'), { context: { prefix, hash } });
    const apiKey = found?.apiKey;
    return apiKey && isValid(apiKey, Date.now()) ? apiKey : undefined;
  }

  private async lookUp({ prefix, hash }: { prefix: string; hash: Buffer }): Promise<LookUp> {
    const found = await findApiKey(this.db, prefix);
    return { apiKey: found && isSameHash(found.hash, hash) ? found.apiKey : undefined };
  }
}

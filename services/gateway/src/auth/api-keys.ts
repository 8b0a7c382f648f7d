import { hashApiKey, isSameHash, prefixOf } from '@quire/shared/api-keys';
import { findApiKey, isValid, type ApiKey, type Database } from '@quire/shared/database';
import { LRUCache } from 'lru-cache';

/** A revocation takes hold everywhere within this time. */
const REMEMBERED_MS = 5000;
const MOST_REMEMBERED = 10_000;

interface Looked {
  /** Undefined: there is no such key. */
  apiKey: ApiKey | undefined;
}

/**
 * Tells whose a key is. Answers are remembered for a short time, the negative ones too, and callers that come at once
 * share a look. While Postgres is away nobody gets in who was not seen just before.
 */
export class ApiKeys {
  /** By hash: the keys themselves are not kept. */
  private readonly looked: LRUCache<string, Looked, { prefix: string; hash: Buffer }>;

  constructor(
    private readonly db: Database,
    private readonly secret: string,
    mostRemembered = MOST_REMEMBERED,
  ) {
    this.looked = new LRUCache({
      max: mostRemembered,
      ttl: REMEMBERED_MS,
      fetchMethod: (_, __, { context }) => this.look(context),
      // A look under way that has to make room for others is not remembered, but its caller is answered.
      ignoreFetchAbort: true,
    });
  }

  async find(key: string): Promise<ApiKey | undefined> {
    const prefix = prefixOf(key);
    if (prefix === undefined) return undefined;
    const hash = hashApiKey(key, this.secret);
    const looked = await this.looked.fetch(hash.toString('base64'), { context: { prefix, hash } });
    const apiKey = looked?.apiKey;
    return apiKey && isValid(apiKey, Date.now()) ? apiKey : undefined;
  }

  private async look({ prefix, hash }: { prefix: string; hash: Buffer }): Promise<Looked> {
    const found = await findApiKey(this.db, prefix);
    return { apiKey: found && isSameHash(found.hash, hash) ? found.apiKey : undefined };
  }
}

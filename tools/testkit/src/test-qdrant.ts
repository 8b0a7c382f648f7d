import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export function qdrantUrl(): string {
  return inject('quireStores').qdrantUrl;
}

/** A collection name nobody else uses. Delete the collection after the test: each costs the server memory. */
export function uniqueCollection(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

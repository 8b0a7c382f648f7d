import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';

export function qdrantUrl(): string {
  return inject('quireStores').qdrantUrl;
}

/** A unique collection name. Delete the collection after the test: each costs the server memory. */
export function uniqueCollection(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

/** Deletes what an index of this name has left: its collections are named after it. */
export async function dropIndex(name: string, url = qdrantUrl()): Promise<void> {
  const answer = await fetch(new URL('/collections', url));
  const { result } = (await answer.json()) as { result: { collections: { name: string }[] } };
  const own = result.collections.filter((collection) => collection.name.startsWith(name));
  await Promise.all(
    own.map((collection) => fetch(new URL(`/collections/${collection.name}`, url), { method: 'DELETE' })),
  );
}

import type { QdrantClient } from '@qdrant/js-client-rest';
import { collectionPrefix, listCollections } from '@quire/shared/qdrant';

/** The index that a collection is built for: whoever deletes it must keep that one's ingestions away. An index owns itself. */
export async function owningIndex(client: QdrantClient, name: string, configured: string): Promise<string> {
  const indexes = (await listCollections(client)).flatMap(({ index }) => index ?? []);
  if (indexes.includes(name)) return name;
  const owners = [configured, ...indexes].filter((index) => name.startsWith(collectionPrefix(index)));
  // An index's own name may hold the separator.
  return owners.toSorted((a, b) => a.length - b.length).at(-1) ?? name;
}

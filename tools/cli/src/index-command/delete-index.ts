import type { QdrantClient } from '@qdrant/js-client-rest';
import { collectionPrefix, listCollections } from '@quire/shared/qdrant';
import { CommandFailure } from '../command-failure.js';
import { counted } from '../counted.js';
import { confirmed, type Confirmation } from './confirm.js';
import { listIndexes, type ListedCollection } from './index-list.js';

/** Deletes an index with all its collections, or a collection of no index; false if the user declines. */
export async function deleteIndex(
  client: QdrantClient,
  name: string,
  confirmation: Confirmation,
): Promise<boolean> {
  const listed = await listIndexes(client);
  const collections = collectionsOf(name, listed);
  if (collections.length === 0) throw new CommandFailure(unknownName(name, listed));
  const contents = await Promise.all(
    collections.map(async ({ collection }) => {
      const { count } = await client.count(collection, { exact: true });
      return `${collection} with ${counted(count, 'chunk')}`;
    }),
  );
  if (!(await confirmed(`Delete "${name}" (${contents.join(', ')})?`, confirmation))) return false;
  // Qdrant removes a collection's aliases with it.
  for (const { collection } of collections) await client.deleteCollection(collection);
  confirmation.terminal.write(`Deleted ${contents.join(', ')}. Running workers start with an empty index.\n`);
  return true;
}

function collectionsOf(name: string, listed: readonly ListedCollection[]): ListedCollection[] {
  const itself = listed.find(({ collection }) => collection === name);
  if (itself?.index !== undefined) {
    throw new CommandFailure(
      `The index "${itself.index}" uses the collection "${name}": ` +
        `delete it with \`quire index delete ${itself.index}\`.`,
    );
  }
  if (itself) return [itself];
  const isLeftOver = ({ index, collection, description }: ListedCollection) =>
    index === undefined && description !== undefined && collection.startsWith(collectionPrefix(name));
  return listed.filter((each) => each.index === name || isLeftOver(each));
}

function unknownName(name: string, listed: readonly ListedCollection[]): string {
  const names = [...new Set(listed.map(({ index, collection }) => index ?? collection))];
  const known = names.length === 0 ? 'This Qdrant holds none.' : `This Qdrant holds ${names.join(', ')}.`;
  return `There is no index or collection "${name}". ${known}`;
}

/** The index that a collection is built for, whose lease its deletion needs. An index owns itself. */
export async function owningIndex(client: QdrantClient, name: string, configured: string): Promise<string> {
  const indexes = (await listCollections(client)).flatMap(({ index }) => index ?? []);
  if (indexes.includes(name)) return name;
  const owners = [configured, ...indexes].filter((index) => name.startsWith(collectionPrefix(index)));
  // An index's own name may hold the separator.
  return owners.toSorted((a, b) => a.length - b.length).at(-1) ?? name;
}

import type { QdrantClient } from '@qdrant/js-client-rest';
import { collectionPrefix } from '@quire/shared/qdrant';
import { CommandFailure } from '../command-failure.js';
import { counted } from '../counted.js';
import { confirmed, type Confirmation } from './confirm.js';
import { listIndexes, type ListedCollection } from './index-list.js';

/** Deletes an index with all its collections, or a collection that no index needs; false if the user decides otherwise. */
export async function deleteIndex(
  client: QdrantClient,
  name: string,
  confirmation: Confirmation,
): Promise<boolean> {
  const listed = await listIndexes(client);
  const doomed = collectionsOf(name, listed);
  if (doomed.length === 0) throw new CommandFailure(unknownName(name, listed));
  const contents = await Promise.all(
    doomed.map(async ({ collection }) => {
      const { count } = await client.count(collection, { exact: true });
      return `${collection} with ${counted(count, 'chunk')}`;
    }),
  );
  if (!(await confirmed(`Delete "${name}" (${contents.join(', ')})?`, confirmation))) return false;
  // Qdrant removes a collection's aliases with it.
  for (const { collection } of doomed) await client.deleteCollection(collection);
  confirmation.terminal.write(`Deleted ${contents.join(', ')}. Running workers begin with an empty index.\n`);
  return true;
}

function collectionsOf(name: string, listed: readonly ListedCollection[]): ListedCollection[] {
  const itself = listed.find(({ collection }) => collection === name);
  if (itself?.index !== undefined) {
    throw new CommandFailure(
      `The collection "${name}" answers for the index "${itself.index}": ` +
        `delete that with \`quire index delete ${itself.index}\`.`,
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

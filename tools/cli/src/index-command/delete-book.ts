import { randomUUID } from 'node:crypto';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { recordChange } from '@quire/shared/qdrant';
import { CommandFailure } from '../command-failure.js';
import { counted } from '../counted.js';
import { confirmed, type Confirmation } from './confirm.js';
import { indexStatus } from './index-status.js';

/** Deletes one book of an index; the others stay. False if the user declines. */
export async function deleteBook(
  client: QdrantClient,
  index: string,
  baseUrl: string,
  confirmation: Confirmation,
): Promise<boolean> {
  const { current } = await indexStatus(client, index);
  if (!current) throw new CommandFailure(`There is no index "${index}".`);
  const book = current.books.find((each) => withoutSlash(each.baseUrl) === withoutSlash(baseUrl));
  if (!book) {
    const known = current.books.map((each) => each.baseUrl).join(', ') || 'no book';
    throw new CommandFailure(`The index "${index}" does not hold ${baseUrl}. It holds ${known}.`);
  }
  const contents = `${book.baseUrl} (${counted(book.pages, 'page')}, ${counted(book.chunks, 'chunk')})`;
  if (!(await confirmed(`Delete ${contents} from the index "${index}"?`, confirmation))) return false;
  const filter = { must: [{ key: 'book', match: { value: book.baseUrl } }] };
  await recordChange(client, current.collection, randomUUID());
  await client.delete(current.collection, { filter, wait: true });
  confirmation.terminal.write(`Deleted ${contents} from the index "${index}".\n`);
  return true;
}

const withoutSlash = (url: string) => url.replace(/\/+$/, '');

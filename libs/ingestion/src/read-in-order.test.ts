import { setTimeout as sleep } from 'node:timers/promises';
import { UnreadablePage, type FoundPage } from '@quire/book/sources';
import { expect, test } from 'vitest';
import { readInOrder, type PageRead } from './read-in-order.js';

const { signal } = new AbortController();
const pageOf = (path: string) => ({
  path,
  format: 'markdown' as const,
  layout: 'plain' as const,
  base_url: 'https://book.example',
  text: '',
});

async function readAll(pages: readonly FoundPage[]): Promise<PageRead[]> {
  const reads: PageRead[] = [];
  for await (const read of readInOrder(pages, signal)) reads.push(read);
  return reads;
}

test('pages come in their order, however long each takes', async () => {
  const pages: FoundPage[] = Array.from({ length: 30 }, (_, n) => ({
    path: `${n}`,
    async read() {
      await sleep(n % 3 === 0 ? 10 : 0);
      return pageOf(`${n}`);
    },
  }));
  const read = await readAll(pages);
  expect(read.map(({ path }) => path)).toEqual(pages.map(({ path }) => path));
});

test('some are read ahead, but no more than a few', async () => {
  let begun = 0;
  const pages: FoundPage[] = Array.from({ length: 30 }, (_, n) => ({
    path: `${n}`,
    read() {
      begun += 1;
      return Promise.resolve(pageOf(`${n}`));
    },
  }));
  const reads = readInOrder(pages, signal);
  await reads.next();
  expect(begun).toBe(8);
  await reads.next();
  expect(begun).toBe(9);
});

test('one that fails takes its turn as well', async () => {
  const error = new UnreadablePage('no');
  const pages: FoundPage[] = [
    { path: 'a', read: () => Promise.resolve(pageOf('a')) },
    { path: 'b', read: () => Promise.reject(error) },
  ];
  expect(await readAll(pages)).toEqual([
    { path: 'a', page: pageOf('a') },
    { path: 'b', error },
  ]);
});

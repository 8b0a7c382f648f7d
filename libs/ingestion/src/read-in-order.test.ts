import { setTimeout as sleep } from 'node:timers/promises';
import { UnreadablePage, type FoundPage } from '@quire/book/sources';
import { expect, it } from 'vitest';
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

it('pages are yielded in their order, however long each read takes', async () => {
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

it('eight pages are read ahead, and no more', async () => {
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

it('a page that fails is yielded in its place, with its error', async () => {
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

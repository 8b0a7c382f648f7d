import { qdrantUrl, startTcpProxy, uniqueCollection } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { chunksOf, client, makeCollection, makeIndex, markRun } from './index-fixture.js';
import { startQuire } from './start-quire.js';

const [docs, guide] = ['https://book.example/docs', 'https://guide.example'];

const quire = async (index: string, ...args: string[]) => {
  const env = { QDRANT_URL: qdrantUrl(), QDRANT_COLLECTION: index };
  const { exitCode, terminal } = startQuire({ args: ['index', ...args], env });
  return { exitCode: await exitCode, output: terminal.output, stdout: terminal.stdout };
};

it('quire index status shows embedder, books, pages, chunks and last runs', async () => {
  const { index, collection } = await makeIndex([...chunksOf(guide, 1), ...chunksOf(docs, 12)]);
  await markRun(collection, docs, '2026-11-16T18:40:12.345Z');
  const { exitCode, output } = await quire(index, 'status');
  expect(exitCode).toBe(0);
  expect(output).toMatch(new RegExp(`^Collection {2}${collection}$`, 'm'));
  expect(output).toContain('Embedder    test-model (4 dimensions)\n');
  expect(output).toContain('Chunks      26\n');
  expect(output).toMatch(/^Size {8}[\d.]+ (bytes|kB|MB)$/m);
  expect(output).toMatch(/https:\/\/book\.example\/docs\D+12\D+24\D+2026-11-16 18:40/);
  expect(output).toMatch(/https:\/\/guide\.example\D+1\D+2\D+never finished/);
});

it('quire index status --json prints one object', async () => {
  const { index, collection } = await makeIndex(chunksOf(docs, 3));
  const { stdout } = await quire(index, 'status', '--json');
  expect(JSON.parse(stdout)).toEqual({
    index,
    collection,
    embedder: 'test-model',
    dimensions: 4,
    chunks: 6,
    size_bytes: expect.any(Number) as number,
    books: [{ base_url: docs, pages: 3, chunks: 6, last_run: null }],
    being_built: [],
  });
});

it('quire index status names a collection that is being built, but not those of other indexes', async () => {
  const { index } = await makeIndex(chunksOf(docs, 1));
  await makeIndex(chunksOf(docs, 1));
  const next = await makeCollection(`${index}--next-8`, chunksOf(docs, 2));
  const { output } = await quire(index, 'status');
  expect(output.match(/Being built: .*/g)).toEqual([`Being built: ${next} (4 chunks)`]);
});

it('quire index status prints what to do before the first ingestion', async () => {
  expect(await quire(uniqueCollection(), 'status')).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^There is no index yet: .*quire ingest/) as string,
  });
  const { index } = await makeIndex();
  expect((await quire(index, 'status')).output).toContain('The index holds no book: ');
});

it('quire index status names a collection that Quire did not make', async () => {
  const foreign = uniqueCollection();
  await client().createCollection(foreign, { vectors: { size: 2, distance: 'Dot' } });
  onTestFinished(async () => {
    await client().deleteCollection(foreign);
  });
  const { exitCode, output } = await quire(foreign, 'status');
  expect(exitCode).toBe(1);
  expect(output).toContain('was not made by this version of Quire');
});

it('quire index status prints a sentence when Qdrant is away', async () => {
  const proxy = await startTcpProxy(qdrantUrl());
  await proxy.cut();
  const { exitCode, terminal } = startQuire({ args: ['index', 'status'], env: { QDRANT_URL: proxy.url } });
  expect(await exitCode).toBe(1);
  expect(terminal.output).toMatch(/^Qdrant does not answer at http:.*: is it running\?\n$/);
});

it('quire index list shows every index with its collection, and collections without an index', async () => {
  const one = await makeIndex(chunksOf(docs, 2));
  await markRun(one.collection, docs, '2026-11-16T18:40:12.345Z');
  await markRun(one.collection, guide, '2026-11-15T18:40:12.345Z');
  const stray = await makeCollection(`${one.index}--stray-4`);
  const { exitCode, output } = await quire('quire', 'list');
  expect(exitCode).toBe(0);
  const [row, strayRow] = [one.collection, stray].map((name) =>
    output
      .split('\n')
      .find((line) => line.includes(` ${name} `))
      ?.split('│')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  const size = expect.stringMatching(/^[\d.]+ (bytes|kB|MB)$/) as string;
  expect(row).toEqual([one.index, one.collection, 'test-model', '2', '4', size, '2026-11-16 18:40']);
  expect(strayRow).toEqual(['–', stray, 'test-model', '0', '0', size, 'never finished']);
  const listed = JSON.parse((await quire('quire', 'list', '--json')).stdout) as unknown[];
  expect(listed).toContainEqual({
    index: one.index,
    collection: one.collection,
    embedder: 'test-model',
    dimensions: 4,
    pages: 2,
    chunks: 4,
    size_bytes: expect.any(Number) as number,
    last_run: '2026-11-16T18:40:12.345Z',
  });
});

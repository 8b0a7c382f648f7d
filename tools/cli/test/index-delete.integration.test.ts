import { randomUUID } from 'node:crypto';
import { IndexLease } from '@quire/shared/ingestion';
import { describeCollection, versionOf } from '@quire/shared/qdrant';
import { qdrantUrl, testRedisUrl, uniqueCollection } from '@quire/testkit';
import { expect, it } from 'vitest';
import { chunksOf, client, exists, makeCollection, makeIndex, nameCollection } from './index-fixture.js';
import { recordingTerminal, type TerminalScript } from './recording-terminal.js';
import { redisFor } from '../../../libs/ingestion/test/scripted-worker.js';
import { startQuire } from './start-quire.js';

const [docs, guide] = ['https://book.example/docs', 'https://guide.example'];

const quireDelete = async (
  args: string[],
  { index = 'quire', redisUrl = '', ...script }: TerminalScript & { index?: string; redisUrl?: string } = {},
) => {
  const terminal = recordingTerminal(true, script);
  const env = { QDRANT_URL: qdrantUrl(), QDRANT_COLLECTION: index, REDIS_URL: redisUrl };
  const exitCode = await startQuire({ args: ['index', 'delete', ...args], env, terminal }).exitCode;
  return { exitCode, output: terminal.output, questions: terminal.questions };
};

it('quire index delete asks, and deletes the index with all its collections but no other index', async () => {
  const { index, collection } = await makeIndex(chunksOf(docs, 1));
  const next = await makeCollection(`${index}--next-8`);
  const other = await makeIndex();
  const lent = await makeCollection(`${index}--lent-4`);
  await nameCollection(lent, uniqueCollection());
  const { exitCode, questions } = await quireDelete([index], { answer: 'y' });
  expect(exitCode).toBe(0);
  expect(questions).toEqual([
    `Delete "${index}" (${next} with 0 chunks, ${collection} with 2 chunks)? [y/N] `,
  ]);
  expect([await exists(collection), await exists(next)]).toEqual([false, false]);
  expect([await exists(other.collection), await exists(lent)]).toEqual([true, true]);
  const { aliases } = await client().getAliases();
  expect(aliases.map(({ alias_name: alias }) => alias)).not.toContain(index);
});

it.each(['', 'n', 'yikes'])(
  'quire index delete deletes nothing and ends with 1 when "%s" is typed',
  async (answer) => {
    const { index, collection } = await makeIndex();
    const { exitCode, output } = await quireDelete([index], { answer });
    expect(exitCode).toBe(1);
    expect(output).toContain('Nothing was deleted.');
    expect(await exists(collection)).toBe(true);
  },
);

it('quire index delete needs --yes without a terminal', async () => {
  const { index, collection } = await makeIndex();
  const refused = await quireDelete([index]);
  expect(refused.exitCode).toBe(2);
  expect(refused.output).toContain('add --yes');
  expect(await exists(collection)).toBe(true);
  expect((await quireDelete([index, '--yes'])).exitCode).toBe(0);
  expect(await exists(collection)).toBe(false);
});

it('quire index delete deletes a collection that no index needs', async () => {
  const stray = await makeCollection(uniqueCollection());
  expect((await quireDelete([stray, '--yes'])).exitCode).toBe(0);
  expect(await exists(stray)).toBe(false);
});

it('quire index delete deletes no collection that an ingestion is building', async () => {
  const { index } = await makeIndex();
  const next = await makeCollection(`${index}--next-8`);
  const redisUrl = await testRedisUrl();
  const lease = await IndexLease.acquire(await redisFor(redisUrl), index, randomUUID());
  const refused = await quireDelete([next, '--yes'], { redisUrl });
  expect(refused.exitCode).toBe(1);
  expect(refused.output).toContain('An ingestion into this index is under way');
  expect(await exists(next)).toBe(true);
  await lease?.release();
  expect((await quireDelete([next, '--yes'], { redisUrl })).exitCode).toBe(0);
});

it('quire index delete refuses to delete the collection behind an index', async () => {
  const { index, collection } = await makeIndex();
  const { exitCode, output } = await quireDelete([collection, '--yes']);
  expect(exitCode).toBe(1);
  expect(output).toContain(`quire index delete ${index}`);
  expect(await exists(collection)).toBe(true);
});

it('quire index delete with an unknown name lists the known ones and ends with 1', async () => {
  const { index } = await makeIndex();
  const { exitCode, output } = await quireDelete(['no-such-index', '--yes']);
  expect(exitCode).toBe(1);
  expect(output).toContain('There is no index or collection "no-such-index".');
  expect(output).toContain(index);
});

it('quire index delete --book deletes one book, however its base URL ends, and leaves the others', async () => {
  const { index, collection } = await makeIndex([...chunksOf(docs, 2), ...chunksOf(guide, 3)]);
  const { exitCode, output } = await quireDelete(['--book', `${docs}/`, '--yes'], { index });
  expect(exitCode).toBe(0);
  expect(output).toContain(`Deleted ${docs} (2 pages, 4 chunks) from the index "${index}".`);
  expect(await client().count(collection, { exact: true })).toEqual({ count: 6 });
  const { terminal, exitCode: done } = startQuire({
    args: ['index', 'status', '--json'],
    env: { QDRANT_URL: qdrantUrl(), QDRANT_COLLECTION: index },
  });
  await done;
  expect(JSON.parse(terminal.stdout)).toMatchObject({ books: [{ base_url: guide, pages: 3, chunks: 6 }] });
});

it('quire index delete --book makes a collection that is being built from the index out of date', async () => {
  const { index, collection } = await makeIndex(chunksOf(docs, 1));
  const before = await describeCollection(client(), collection);
  await quireDelete(['--book', docs, '--yes'], { index });
  const after = await describeCollection(client(), collection);
  expect(before && after && versionOf(after) !== versionOf(before)).toBe(true);
});

it('quire index delete --book asks first', async () => {
  const { index, collection } = await makeIndex(chunksOf(docs, 2));
  const { exitCode, questions } = await quireDelete(['--book', docs], { index, answer: 'no' });
  expect(exitCode).toBe(1);
  expect(questions).toEqual([`Delete ${docs} (2 pages, 4 chunks) from the index "${index}"? [y/N] `]);
  expect(await client().count(collection, { exact: true })).toEqual({ count: 4 });
});

it.each([
  ['a book that the index does not hold', true, /does not hold https:\/\/guide\.example\. It holds https:/],
  ['an index that does not exist', false, /There is no index "/],
])('quire index delete --book of %s ends with 1', async (_, there, words) => {
  const index = there ? (await makeIndex(chunksOf(docs, 1))).index : uniqueCollection();
  const { exitCode, output } = await quireDelete(['--book', guide, '--yes'], { index });
  expect(exitCode).toBe(1);
  expect(output).toMatch(words);
});

import { eventually, qdrantUrl, testRedisUrl, uniqueCollection } from '@quire/testkit';
import { beforeEach, expect, it } from 'vitest';
import { makeIndex } from './index-fixture.js';
import { startQuire } from './start-quire.js';
import { startScriptedWorker } from '../../../libs/ingestion/test/scripted-worker.js';

let redisUrl: string;
const rebuild = (index: string) =>
  startQuire({
    args: ['index', 'rebuild'],
    env: { REDIS_URL: redisUrl, QDRANT_URL: qdrantUrl(), QDRANT_COLLECTION: index },
  });

const replacing = () => ({ task: 'open', collection: 'new', embedder: 'model-b', replaces: 'old' }) as const;

beforeEach(async () => {
  redisUrl = await testRedisUrl();
});

it('quire index rebuild carries all chunks into a new collection, which then takes over', async () => {
  const { index } = await makeIndex();
  const worker = await startScriptedWorker(redisUrl, {
    open: replacing,
    carry: ({ cursor }) => ({ task: 'carry', carried: 600, ...(cursor ? {} : { cursor: 'next' }) }),
  });
  const { exitCode, terminal } = rebuild(index);
  expect(await exitCode).toBe(0);
  expect(worker.tasks.map(({ task }) => task).slice(-3)).toEqual(['carry', 'carry', 'close']);
  expect(worker.tasks.some((task) => 'book' in task || 'except_book' in task)).toBe(false);
  expect(terminal.output).toContain('The index was rebuilt by model-b: 1,200 chunks.\n');
});

it('quire index rebuild does nothing when the configured embedder has made the index', async () => {
  const { index } = await makeIndex();
  const worker = await startScriptedWorker(redisUrl);
  const { exitCode, terminal } = rebuild(index);
  expect(await exitCode).toBe(0);
  expect(terminal.output).toBe('Nothing to do: the index was made by the configured embedder, test.\n');
  expect(worker.tasks.map(({ task }) => task)).toEqual(['open']);
});

it('quire index rebuild makes no index when there is none', async () => {
  const worker = await startScriptedWorker(redisUrl);
  const { exitCode, terminal } = rebuild(uniqueCollection());
  expect(await exitCode).toBe(0);
  expect(terminal.output).toContain('There is no index yet');
  expect(worker.tasks).toEqual([]);
});

it('an interrupted quire index rebuild leaves the index as it was', async () => {
  const { index } = await makeIndex();
  const worker = await startScriptedWorker(redisUrl, {
    open: replacing,
    carry: () => ({ task: 'carry', carried: 1, cursor: 'for ever' }),
  });
  const { exitCode, terminal, interrupt } = rebuild(index);
  await eventually(() => expect(worker.named('carry').length).toBeGreaterThan(1));
  interrupt();
  await exitCode;
  expect(worker.named('close')).toEqual([]);
  expect(terminal.output).toContain('the index is as before');
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openQueue } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { dropIndex, eventually, freePorts, qdrantUrl, testRedisUrl, uniqueCollection } from '@quire/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openQdrantCollections } from '../src/index/qdrant-index-collections.js';
import { aRetrievalJob, settled } from './running-worker.js';

interface Run {
  process: ChildProcess;
  output(): string;
  exit: Promise<number | null>;
}

let env: Record<string, string>;

/** The built service, as a container or the embedded stack starts it. */
function run(entry: string, overrides: Record<string, string> = {}): Run {
  const file = fileURLToPath(new URL(`../dist/${entry}.js`, import.meta.url));
  const child = spawn(process.execPath, [file], { env: { PATH: process.env.PATH, ...env, ...overrides } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  return {
    process: child,
    output: () => output,
    exit: once(child, 'close').then(([code]) => code as number | null),
  };
}

const started = (worker: Run) => eventually(() => expect(worker.output()).toContain('"Started"'));

beforeAll(async () => {
  env = { REDIS_URL: await testRedisUrl(), QDRANT_URL: qdrantUrl(), QDRANT_COLLECTION: uniqueCollection() };
});
afterAll(() => dropIndex(env.QDRANT_COLLECTION ?? ''));

it('a worker process without keys serves questions, is healthy while it runs, and exits with 0 on SIGTERM', async () => {
  const worker = run('main');
  await started(worker);
  await eventually(async () => expect(await run('healthcheck').exit).toBe(0));

  const redis = connectRedis(env.REDIS_URL ?? '', 'request', createLogger('test', 'silent'));
  await awaitRedis(redis, 5000);
  const queue = openQueue('retrieval', redis);
  const job = aRetrievalJob({ query: 'a very secret question' });
  await queue.add('job-1', job);
  expect(await settled(queue, 'job-1')).toMatchObject({ state: 'completed', result: { chunks: [] } });
  redis.disconnect();

  worker.process.kill('SIGTERM');
  expect(await worker.exit).toBe(0);
  expect(await run('healthcheck').exit).toBe(1);

  const line =
    worker
      .output()
      .split('\n')
      .find((text) => text.includes('Passages retrieved')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    level: 'info',
    stage: 'retrieval',
    request_id: job.request_id,
    result_count: 0,
    latency_ms: expect.any(Number) as number,
  });
  expect(worker.output()).not.toContain('secret question');
});

it('a worker process refuses an index whose embedder it cannot use, with a remedy', async () => {
  const collection = uniqueCollection();
  const collections = openQdrantCollections({ url: qdrantUrl(), collection });
  await collections.activate(
    await collections.prepare({ embedder: 'cohere:embed-english-v3.0', dimensions: 1024 }),
  );
  const worker = run('main', { QDRANT_COLLECTION: collection });
  expect(await worker.exit).toBe(1);
  expect(worker.output()).toContain('was made by cohere:embed-english-v3.0 (1024 dimensions)');
  expect(worker.output()).toContain('local:use-lite (512 dimensions)');
  expect(worker.output()).toContain('QDRANT_COLLECTION');
  await dropIndex(collection);
});

it('a worker process serves its metrics on METRICS_PORT', async () => {
  const [port] = await freePorts(1);
  const worker = run('main', { METRICS_PORT: String(port) });
  await started(worker);
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(await response.text()).toContain('quire_query_vectors_total');
  worker.process.kill('SIGTERM');
  expect(await worker.exit).toBe(0);
});

it('a worker process lists every problem of its configuration and exits', async () => {
  const worker = run('main', { QDRANT_URL: '', EMBEDDER: 'openai' });
  expect(await worker.exit).toBe(1);
  expect(worker.output()).toContain('QDRANT_URL');
  expect(worker.output()).toContain('EMBEDDING_API_KEY');
});

it('the health check fails while Redis does not respond', async () => {
  expect(await run('healthcheck', { REDIS_URL: 'redis://127.0.0.1:9' }).exit).toBe(1);
});

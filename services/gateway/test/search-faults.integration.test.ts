import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorEnvelopeSchema } from '@quire/shared/contracts';
import { DeadlineExceeded, DependencyUnavailable } from '@quire/shared/errors';
import { openQueue, type JobQueue } from '@quire/shared/jobs';
import { eventually, startPrivateRedis, startTcpProxy, testRedisUrl } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway, type GatewayOptions, type GatewayUnderTest } from './gateway-under-test.js';
import { foundPassages, playRetrieval } from './play-retrieval.js';

async function gatewayForTest(options: GatewayOptions = {}): Promise<GatewayUnderTest> {
  const gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

function queueOf(gateway: GatewayUnderTest): JobQueue<'retrieval'> {
  const queue = openQueue('retrieval', gateway.redis);
  onTestFinished(() => queue.close());
  return queue;
}

const waitingJobs = (queue: JobQueue<'retrieval'>, count: number) =>
  eventually(async () => expect(await queue.counts()).toMatchObject({ waiting: count }));

async function expectRefusal(response: Response, status: number, code: string): Promise<string> {
  const envelope = errorEnvelopeSchema.parse(await response.json());
  expect({ status: response.status, code: envelope.error_code }).toEqual({ status, code });
  expect(envelope.request_id).toBe(response.headers.get('x-request-id'));
  if (status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  return envelope.message;
}

it('a search that fails in the index or the embedder is refused with Retry-After', async () => {
  const gateway = await gatewayForTest();
  playRetrieval(gateway.redisUrl, () =>
    Promise.reject(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The index is not reachable')),
  );
  const refused = await gateway.post('/search', { query: 'nodes' });
  expect(await expectRefusal(refused, 503, 'RETRIEVAL_UNAVAILABLE')).toBe('The index is not reachable');
});

it('a search without a worker is refused at its deadline', async () => {
  const gateway = await gatewayForTest({ searchTimeoutMs: 300 });
  await expectRefusal(await gateway.post('/search', { query: 'nodes' }), 503, 'RETRIEVAL_UNAVAILABLE');
});

it('a search that a worker drops as overdue is refused with RETRIEVAL_UNAVAILABLE', async () => {
  const gateway = await gatewayForTest();
  playRetrieval(gateway.redisUrl, () => Promise.reject(new DeadlineExceeded()));
  await expectRefusal(await gateway.post('/search', { query: 'nodes' }), 503, 'RETRIEVAL_UNAVAILABLE');
});

it("the message of a worker's defect does not reach the client", async () => {
  const gateway = await gatewayForTest();
  playRetrieval(gateway.redisUrl, () => Promise.reject(new TypeError('chunks is not iterable')));
  const refused = await gateway.post('/search', { query: 'nodes' });
  expect(await expectRefusal(refused, 500, 'INTERNAL')).not.toContain('iterable');
});

it('a search is refused at once while Redis is not reachable, and works after its return', async () => {
  const redis = await startPrivateRedis();
  onTestFinished(() => redis.cleanup());
  const gateway = await gatewayForTest({ redisUrl: redis.url, searchTimeoutMs: 1000 });
  await redis.kill();
  await eventually(async () => expect((await gateway.get('/health/ready')).status).toBe(503));
  // One that waited would run out of its time, and be refused as a question without an answer.
  await expectRefusal(await gateway.post('/search', { query: 'nodes' }), 503, 'QUEUE_UNAVAILABLE');
  await redis.restart();
  playRetrieval(redis.url, () => Promise.resolve(foundPassages()));
  await eventually(async () => expect((await gateway.post('/search', { query: 'nodes' })).status).toBe(200));
});

it.each(['before', 'after'])(
  'a search is refused when Redis stops responding %s a worker has dequeued it',
  async (when) => {
    const proxy = await startTcpProxy(await testRedisUrl());
    onTestFinished(() => proxy.close());
    const gateway = await gatewayForTest({ redisUrl: proxy.url });
    onTestFinished(() => proxy.restore());
    if (when === 'before') proxy.pause();
    const searching = gateway.post('/search', { query: 'nodes' });
    if (when === 'after') {
      await waitingJobs(queueOf(gateway), 1);
      proxy.pause();
    }
    await expectRefusal(await searching, 503, 'QUEUE_UNAVAILABLE');
  },
);

it('a search without a key is refused at once while Redis hangs', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(() => proxy.close());
  const gateway = await gatewayForTest({ redisUrl: proxy.url, searchTimeoutMs: 300 });
  onTestFinished(() => proxy.restore());
  proxy.pause();
  // Until the silence is noticed.
  await sleep(2000);
  // One that waited would run out of its time, and be refused as a question without an answer.
  await expectRefusal(await gateway.post('/search', { query: 'nodes' }), 503, 'QUEUE_UNAVAILABLE');
});

const connectionsOf = (gateway: GatewayUnderTest) =>
  new Promise((resolve) => gateway.server.getConnections((_error, count) => resolve(count)));

it('a client that leaves ends its search and removes the job', async () => {
  const gateway = await gatewayForTest();
  const queue = queueOf(gateway);
  const leaving = new AbortController();
  const headers = { 'content-type': 'application/json' };
  const searching = fetch(`${gateway.url}/search`, {
    method: 'POST',
    headers,
    body: '{"query":"nodes"}',
    signal: leaving.signal,
  });
  await waitingJobs(queue, 1);
  leaving.abort();
  await expect(searching).rejects.toThrow();
  await eventually(async () => expect(await connectionsOf(gateway)).toBe(0));
  // A search under way adds a job again that Redis has lost, at its next look after a second.
  await gateway.redis.flushdb();
  await sleep(1500);
  expect(await queue.counts()).toMatchObject({ waiting: 0 });
});

it('a gateway that stops completes its open searches and then exits before its grace ends', async () => {
  const gateway = await gatewayForTest({ drainGraceMs: 600_000 });
  const searching = gateway.post('/search', { query: 'nodes' });
  await waitingJobs(queueOf(gateway), 1);
  const stopping = gateway.stopService();
  playRetrieval(gateway.redisUrl, () => Promise.resolve(foundPassages()));
  expect((await searching).status).toBe(200);
  await stopping;
});

it('a search that takes longer than the grace of a stopping gateway is refused with SHUTTING_DOWN', async () => {
  const gateway = await gatewayForTest({ searchTimeoutMs: 60_000 });
  const searching = gateway.post('/search', { query: 'nodes' });
  await waitingJobs(queueOf(gateway), 1);
  await gateway.stopService();
  await expectRefusal(await searching, 503, 'SHUTTING_DOWN');
});

it('a search that arrives while the gateway drains is refused before it is enqueued', async () => {
  const gateway = await gatewayForTest();
  const queue = queueOf(gateway);
  const body = '{"query":"nodes"}';
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const arriving = request(`${gateway.url}/search`, { method: 'POST', headers });
  const answered = once(arriving, 'response') as Promise<[IncomingMessage]>;
  arriving.write(body.slice(0, 5));
  // The request has begun, so its connection stays open when the others are closed.
  await sleep(100);
  const stopping = gateway.stopService();
  arriving.end(body.slice(5));
  const [response] = await answered;
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('1');
  expect(errorEnvelopeSchema.parse(JSON.parse(await text(response))).error_code).toBe('SHUTTING_DOWN');
  expect(await queue.counts()).toMatchObject({ waiting: 0 });
  await stopping;
});

import { randomUUID } from 'node:crypto';
import { eventually, startTcpProxy, testRedisUrl } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { retrievalResult } from '../../test/retrieval-samples.js';
import { workerForTest } from '../../test/workers.js';
import { announceCancel, Cancellations } from '../cancellation/index.js';
import { DeadlineExceeded, DependencyUnavailable, Internal, InvalidInput } from '../errors/index.js';
import { openQueue, type JobPayload } from '../jobs/index.js';
import { redisKeys } from '../redis/index.js';
import { RetrievalClient } from './retrieval-client.js';
import type { RetrievalReply } from './retrieval-reply.contract.js';

/** The stored result is never polled: only the channel can bring the reply. */
const NEVER_MS = 2 ** 30;

let url: string;
let redis: Redis;

beforeEach(async () => {
  url = await testRedisUrl();
  redis = redisForTest(url);
});

interface Connections {
  queueUrl?: string;
  subscriberUrl?: string;
  pollMs?: number;
}

async function clientForTest({ queueUrl = url, subscriberUrl = url, pollMs = 50 }: Connections = {}) {
  const queue = openQueue('retrieval', redisForTest(queueUrl));
  const subscriber = redisForTest(subscriberUrl, 'subscriber');
  const heard: string[] = [];
  subscriber.on('message', (_, message: string) => heard.push(message));
  const client = new RetrievalClient(queue, subscriber, pollMs);
  await client.start();
  const search = (query = 'nodes', call: { deadlineAt?: number; signal?: AbortSignal } = {}) =>
    client.search(
      { query, top_k: 5 },
      {
        requestId: randomUUID(),
        deadlineAt: Date.now() + 60_000,
        signal: new AbortController().signal,
        ...call,
      },
    );
  return { search, queue, heard, subscriber };
}

/** A scripted retrieval worker. */
function serve(replyTo: (payload: JobPayload<'retrieval'>, jobId: string) => RetrievalReply | undefined) {
  return workerForTest(url, 'retrieval', async (payload, { jobId }) => {
    const reply = replyTo(payload, jobId);
    if (reply) await redis.publish(redisKeys.replyChannel(payload.reply_to), JSON.stringify(reply));
    if (payload.query === 'bad') throw new InvalidInput('INVALID_REQUEST', 'cannot be searched');
    return retrievalResult(payload.query);
  });
}

const succeed = ({ query }: JobPayload<'retrieval'>, jobId: string): RetrievalReply => ({
  job_id: jobId,
  ok: true,
  result: retrievalResult(query),
});
const publishNothing = () => undefined;

it('a reply on the channel resolves the search of its job', async () => {
  const { search } = await clientForTest({ pollMs: NEVER_MS });
  serve(succeed);
  const queries = Array.from({ length: 50 }, (_, n) => `question ${n}`);
  const results = await Promise.all(queries.map((query) => search(query)));
  expect(results).toEqual(queries.map((query) => retrievalResult(query)));
});

it.each([
  ['RETRIEVAL_UNAVAILABLE: The index is away', DependencyUnavailable, 'The index is away'],
  ['DEADLINE_EXCEEDED: Too late', DeadlineExceeded, 'Too late'],
  ['INVALID_REQUEST: No such module', InvalidInput, 'No such module'],
  ['job stalled more than allowable limit', Internal, 'Something went wrong on our side'],
])(
  'a reply that reports a failure rejects the search with the error it names: %s',
  async (reason, errorClass, message) => {
    const { search } = await clientForTest({ pollMs: NEVER_MS });
    serve((_, jobId) => ({ job_id: jobId, ok: false, reason }));
    const failure = await search().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(errorClass);
    expect(failure).toMatchObject({ message });
  },
);

it('a reply reaches the client that asked and no other', async () => {
  const [one, other] = [await clientForTest(), await clientForTest()];
  serve(succeed);
  await Promise.all([one.search('one'), one.search('two'), other.search('three')]);
  const asked = (heard: string[]) => heard.map((message) => /"text":"(\w+)"/.exec(message)?.[1]).sort();
  await eventually(() => {
    expect(asked(one.heard)).toEqual(['one', 'two']);
    expect(asked(other.heard)).toEqual(['three']);
  });
});

it('a reply that is not valid is ignored: the search resolves with the stored result', async () => {
  const { search } = await clientForTest();
  workerForTest(url, 'retrieval', async ({ reply_to, query }) => {
    await redis.publish(redisKeys.replyChannel(reply_to), 'not JSON');
    await redis.publish(redisKeys.replyChannel(reply_to), '{"ok":"maybe"}');
    return retrievalResult(query);
  });
  expect(await search('nodes')).toEqual(retrievalResult('nodes'));
});

it('a search without a reply resolves with the stored result of its job', async () => {
  const { search } = await clientForTest();
  serve(publishNothing);
  expect(await search('nodes')).toEqual(retrievalResult('nodes'));
});

it('a search without a reply rejects with the stored failure of its job', async () => {
  const { search } = await clientForTest();
  serve(publishNothing);
  await expect(search('bad')).rejects.toThrow(new InvalidInput('INVALID_REQUEST', 'cannot be searched'));
});

it('a search whose connection was down when the reply came resolves with the stored result', async () => {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const { search } = await clientForTest({ subscriberUrl: proxy.url });
  const searching = search('nodes');
  await proxy.cut();
  serve(succeed);
  expect(await searching).toEqual(retrievalResult('nodes'));
});

it('a search whose job Redis has lost adds it again', async () => {
  const { search, queue } = await clientForTest();
  const searching = search('nodes');
  await eventually(async () => expect(await queue.counts()).toMatchObject({ waiting: 1 }));
  await redis.flushdb();
  await eventually(async () => expect(await queue.counts()).toMatchObject({ waiting: 1 }));
  serve(succeed);
  expect(await searching).toEqual(retrievalResult('nodes'));
});

it('a search that no worker takes rejects at its deadline', async () => {
  const { search } = await clientForTest({ pollMs: NEVER_MS });
  await expect(search('nodes', { deadlineAt: Date.now() + 100 })).rejects.toThrow(DeadlineExceeded);
});

it('a search whose deadline has passed, or whose signal has fired, is not enqueued', async () => {
  const { search, queue } = await clientForTest();
  await expect(search('nodes', { deadlineAt: Date.now() - 1 })).rejects.toThrow(DeadlineExceeded);
  await expect(search('nodes', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(await queue.counts()).toMatchObject({ waiting: 0 });
});

it('a search that is aborted rejects with the reason of its signal', async () => {
  const { search, queue } = await clientForTest({ pollMs: NEVER_MS });
  const aborting = new AbortController();
  const searching = search('nodes', { signal: aborting.signal });
  await eventually(async () => expect(await queue.counts()).toMatchObject({ waiting: 1 }));
  const reason = new Error('taken over');
  aborting.abort(reason);
  await expect(searching).rejects.toBe(reason);
});

it.each(['cut', 'pause'] as const)(
  'a search rejects at its deadline or abort even while Redis is away (%s)',
  async (fault) => {
    const proxy = await startTcpProxy(url);
    onTestFinished(() => proxy.close());
    const { search } = await clientForTest({ queueUrl: proxy.url, subscriberUrl: proxy.url });
    await proxy[fault]();
    await expect(search('nodes', { deadlineAt: Date.now() + 200 })).rejects.toThrow(DeadlineExceeded);
    await expect(search('nodes', { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  },
);

it('a search rejects at its deadline when Redis goes away in the meantime', async () => {
  const proxy = await startTcpProxy(url);
  onTestFinished(() => proxy.close());
  const { search } = await clientForTest({ queueUrl: proxy.url });
  const searching = search('nodes', { deadlineAt: Date.now() + 1000 });
  await eventually(async () =>
    expect(await openQueue('retrieval', redis).counts()).toMatchObject({ waiting: 1 }),
  );
  await proxy.cut();
  await expect(searching).rejects.toThrow(DeadlineExceeded);
});

it('a client and Cancellations on one subscriber connection each get their own messages and ignore the other', async () => {
  const { search, subscriber } = await clientForTest({ pollMs: NEVER_MS });
  const cancellations = new Cancellations(subscriber, { standingOf: () => Promise.resolve([]) });
  await cancellations.start();
  const runId = randomUUID();
  const watch = cancellations.listen(runId);
  onTestFinished(() => watch.release());
  serve(succeed);
  expect(await search('nodes')).toEqual(retrievalResult('nodes'));
  expect(watch.signal.aborted).toBe(false);
  await announceCancel(redis, runId);
  await eventually(() => expect(watch.signal.aborted).toBe(true));
  expect(await search('nodes')).toEqual(retrievalResult('nodes'));
});

it('a reply on a channel that another part of the process has subscribed to is ignored', async () => {
  const { search, subscriber, heard } = await clientForTest();
  await subscriber.subscribe(redisKeys.cancelChannel);
  workerForTest(url, 'retrieval', async ({ query }, { jobId }) => {
    const stray: RetrievalReply = { job_id: jobId, ok: true, result: retrievalResult('stray') };
    await redis.publish(redisKeys.cancelChannel, JSON.stringify(stray));
    await eventually(() => expect(heard.join()).toContain('stray'));
    return retrievalResult(query);
  });
  expect(await search('nodes')).toEqual(retrievalResult('nodes'));
});

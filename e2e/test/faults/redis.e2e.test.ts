import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatResponseSchema } from '@quire/shared/contracts';
import { queueKey } from '@quire/shared/jobs';
import { answer, vectors } from '@quire/scripted-providers';
import {
  appendOnlyFile,
  eventually,
  startPrivateRedis,
  startTcpProxy,
  textOf,
  type PrivateStore,
  type TcpProxy,
} from '@quire/testkit';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { holdAnswer } from './held-answer.js';
import { askedOf, numberedAnswer, numberedText, questionOf } from './numbered-answer.js';
import {
  followStream,
  expectOneAnswer,
  messagesIn,
  type FollowedStream,
  type FinishedStream,
} from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

/** Followers read Postgres after 10 s without their log. */
const PAUSE_MS = 5000;
const FEWEST_REFUSALS = 6;
/** Writes of this time may be lost in a crash with `appendfsync everysec`. */
const UNSYNCED_MS = 1000;

let redis: PrivateStore;
let proxy: TcpProxy;
let stack: TwoOfEach;
beforeAll(async () => {
  redis = await startPrivateRedis();
  proxy = await startTcpProxy(redis.url);
  stack = await startTwoOfEach({ REDIS_URL: proxy.url, AGENT_CONCURRENCY: '3', RECONCILE_EVERY_MS: '1000' });
});
afterEach(() => stack.providers.reset());
afterAll(async () => {
  await stack.close();
  await proxy.close();
  await redis.cleanup();
});

const post = (gateway: number, message: string) =>
  fetch(`${stack.gateways()[gateway]}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });

async function answerTo(gateway: number, tag: string, words: number): Promise<string | null> {
  const response = await post(gateway, questionOf(tag, words));
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status: 200 });
  return chatResponseSchema.parse(body).answer;
}

interface Load {
  streams: FollowedStream[];
  /** Expects one answer for every client on the connection it has; returns the events of the streams. */
  endsWell(): Promise<FinishedStream[]>;
}

const RUNS_UNDER_WAY = 3;

/** A stream on each gateway and a request that waits for JSON, all in the middle of their answers. */
async function underWay(prefix: string, words = 100): Promise<Load> {
  const tags = [`${prefix}-a`, `${prefix}-b`, `${prefix}-json`];
  const json = answerTo(1, `${prefix}-json`, words);
  // endsWell() reports its rejection.
  json.catch(() => {});
  const streams = await Promise.all(
    [0, 1].map((i) =>
      followStream(() => [stack.gateways()[i] ?? ''], { message: questionOf(tags[i] ?? '', words) }),
    ),
  );
  await eventually(() => {
    for (const { events } of streams) expect(events.some(({ event }) => event === 'delta')).toBe(true);
    for (const tag of tags) expect(stack.callsFor(tag)).toHaveLength(1);
  });
  return {
    streams,
    async endsWell() {
      const finished = await Promise.all(streams.map((followed) => followed.finished));
      for (const [i, followed] of finished.entries()) {
        expectOneAnswer(followed, numberedText(tags[i] ?? '', words));
        expect(followed.resumed).toBe(0);
      }
      expect(await json).toBe(numberedText(tags[2] ?? '', words));
      return finished;
    },
  };
}

/** Waits until both gateways accept questions and workers answer them. */
async function expectRecovered(tag: string): Promise<void> {
  for (const gateway of [0, 1]) {
    await eventually(async () =>
      expect(await answerTo(gateway, `${tag}-${gateway}`, 3)).toBe(numberedText(`${tag}-${gateway}`, 3)),
    );
  }
}

/** Fills both workers with runs that make no progress, and leaves a stream and a JSON request waiting in the queue. */
async function waiting(prefix: string, freePlaces: number): Promise<{ endsWell(): Promise<void> }> {
  const held = holdAnswer();
  stack.providers.chat.byDefault((request) =>
    askedOf(request)?.tag.startsWith(`${prefix}-fill`)
      ? held.behaviour(request)
      : numberedAnswer(request, 15),
  );
  const tags = Array.from({ length: freePlaces }, (_, i) => `${prefix}-fill-${i}`);
  const ask = (tag: string) => followStream(stack.gateways, { message: questionOf(tag) });
  const streams = await Promise.all(tags.map(ask));
  await eventually(() => {
    for (const tag of tags) expect(stack.callsFor(tag)).toHaveLength(1);
  });
  tags.push(`${prefix}-queued`);
  streams.push(await ask(`${prefix}-queued`));
  const json = answerTo(1, `${prefix}-queued-json`, 20);
  json.catch(() => {});
  await eventually(async () => {
    expect(await stack.redis.zcard(queueKey('chat', 'prioritized'))).toBe(2);
  });
  return {
    async endsWell() {
      held.release();
      for (const [i, { finished }] of streams.entries())
        expectOneAnswer(await finished, numberedText(tags[i] ?? '', 20));
      expect(await json).toBe(numberedText(`${prefix}-queued-json`, 20));
    },
  };
}

it('after FLUSHALL each client of a generating, retrieving or queued run gets its answer on the same connection', async () => {
  const { embeddings } = stack.providers;
  const generating = await underWay('wiped', 250);
  // All texts have the same vector, so that the book has an answer to every question.
  embeddings.enqueue(({ texts, dimension = 1 }) =>
    vectors({ latencyMs: 1500, vectors: texts.map(() => Array.from({ length: dimension }, () => 1)) }),
  );
  const asked = embeddings.requests.length;
  const retrieving = answerTo(0, 'wiped-retrieving', 20);
  await eventually(() => expect(embeddings.requests).toHaveLength(asked + 1));
  const queued = await waiting('wiped', 2);
  await stack.redis.flushall();
  await queued.endsWell();
  await generating.endsWell();
  expect(await retrieving).toBe(numberedText('wiped-retrieving', 20));
});

it('after FLUSHALL and the death of its worker a run is executed again, with sequence numbers its client has not seen', async () => {
  const text = numberedText('wiped-twice', 20);
  // The log is gone and no worker appends to it: the next attempt can number its events from the row alone.
  stack.providers.chat.enqueue(answer(text, { tokenMs: 5, stallAfterTokens: 10 }));
  const followed = await followStream(stack.gateways, { message: questionOf('wiped-twice') });
  await eventually(() => expect(textOf(followed.events)).toContain('wiped-twice-2'));
  await stack.callsFor('wiped-twice')[0]?.agent?.kill('SIGKILL');
  await stack.redis.flushall();
  const finished = await followed.finished;
  expectOneAnswer(finished, text);
  expect(finished.resumed).toBe(0);
  await stack.refill();
});

it.each(['killed', 'stopped'])(
  'streams continue without a gap when Redis is %s and comes back with its data',
  async (how) => {
    const load = await underWay(how);
    await (how === 'killed' ? redis.kill('SIGKILL') : redis.stop());
    const refused = await post(0, questionOf(`${how}-refused`));
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    await redis.restart();
    await load.endsWell();
    await expectRecovered(`${how}-after`);
  },
);

it('when a killed Redis has lost its last second, each client gets one answer and each thread one turn', async () => {
  const load = await underWay('crashed', 250);
  const synced = await appendOnlyFile(redis.dataDir);
  // Redis will lose all that is written from here on.
  const [done, begun] = await Promise.all([
    answerTo(0, 'crashed-done', 3),
    followStream(stack.gateways, { message: questionOf('crashed-begun') }),
    sleep(UNSYNCED_MS),
  ]);
  await redis.kill('SIGKILL');
  await truncate(synced.path, synced.bytes);
  await redis.restart();
  const finished = await load.endsWell();
  finished.push(await begun.finished);
  expectOneAnswer(finished.at(-1) as FinishedStream, numberedText('crashed-begun', 20));
  expect(done).toBe(numberedText('crashed-done', 3));
  expect(stack.callsFor('crashed-done')).toHaveLength(1);
  for (const { end } of finished) {
    const { session_id } = chatResponseSchema.parse(JSON.parse(end.data));
    expect(await messagesIn(stack.gateways()[0], session_id)).toBe(2);
  }
  await expectRecovered('crashed-after');
});

it('while Redis hangs both gateways refuse each question at once, and streams continue without a gap afterwards', async () => {
  const load = await underWay('hung');
  const { pid = 0 } = redis;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  const end = AbortSignal.timeout(PAUSE_MS);
  const refusals: string[] = [];
  while (!end.aborted || refusals.length < FEWEST_REFUSALS) {
    const response = await post(refusals.length % 2, questionOf('hung-refused'));
    const { error_code } = (await response.json()) as { error_code?: string };
    refusals.push(`${response.status} ${error_code} ${response.headers.has('retry-after')}`);
    await sleep(20);
  }
  process.kill(pid, 'SIGCONT');
  expect(new Set(refusals)).toEqual(new Set(['503 QUEUE_UNAVAILABLE true']));
  // A refusal that waited for a Redis command to fail has a cause in the log.
  const logged = stack.alive('gateway').flatMap((gateway) => gateway.output().split('\n'));
  const atOnce = logged.filter((line) => line.includes('"message":"The queue is not reachable"'));
  expect(atOnce.length).toBeGreaterThan(refusals.length / 2);
  await load.endsWell();
  await expectRecovered('hung-after');
});

it('streams continue without a gap when every connection to Redis is reset', async () => {
  const load = await underWay('reset');
  await proxy.cut();
  await proxy.restore();
  await load.endsWell();
  await expectRecovered('reset-after');
});

it('streams continue without a gap when the network silently drops every connection to Redis', async () => {
  const load = await underWay('dropped');
  proxy.strand();
  await load.endsWell();
  await expectRecovered('dropped-after');
  // The test's own connection is dropped as well.
  await eventually(() => stack.redis.ping());
});

/** Counts, by run, the appends to run logs that reach Redis from now on. */
async function appendsByRun(): Promise<Map<string, number>> {
  const { hostname, port, password } = new URL(redis.url);
  // ioredis 6 throws when the first monitored command arrives together with the reply to MONITOR.
  const monitor = connect(Number(port), hostname);
  onTestFinished(() => void monitor.destroy());
  monitor.write(`AUTH ${password}\r\nMONITOR\r\n`);
  const lines = createInterface(monitor);
  await once(lines, 'line');
  const counts = new Map<string, number>();
  lines.on('line', (line) => {
    const [, runId] = /"eval(?:sha)?" .*quire:run:{(.+?)}:log/i.exec(line) ?? [];
    if (runId !== undefined) counts.set(runId, (counts.get(runId) ?? 0) + 1);
  });
  return counts;
}

it('while Redis is out of memory questions are refused and no run is lost, and all runs complete once it has memory', async () => {
  const load = await underWay('full', 400);
  const turnedAway = await appendsByRun();
  await stack.redis.config('SET', 'maxmemory', '1');
  const refused = await post(0, questionOf('full-refused'));
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
  expect(await refused.text()).not.toMatch(/OOM|maxmemory/);
  // A refusal waits at most half a second for its row to be closed.
  await eventually(async () => {
    const row = await fetch(`${stack.gateways()[1]}/chat/${refused.headers.get('x-request-id')}`);
    expect(await row.json()).toMatchObject({ state: 'failed' });
  });
  turnedAway.clear();
  await eventually(() => {
    const moreThanOnce = [...turnedAway.values()].filter((times) => times > 1);
    expect(moreThanOnce).toHaveLength(RUNS_UNDER_WAY);
  });
  await stack.redis.config('SET', 'maxmemory', '0');
  await load.endsWell();
  await expectRecovered('full-after');
  expect(stack.callsFor('full-refused')).toEqual([]);
});

it('after a failover to an empty Redis every run completes, queued runs included', async () => {
  const other = await startPrivateRedis();
  const otherClient = new Redis(other.url);
  try {
    await otherClient.config('SET', 'requirepass', new URL(redis.url).password);
    const load = await underWay('failed-over', 250);
    const queued = await waiting('failed-over', 3);
    proxy.retarget(other.url);
    await queued.endsWell();
    await load.endsWell();
    await expectRecovered('failed-over-after');
  } finally {
    proxy.retarget(redis.url);
    otherClient.disconnect();
    await other.cleanup();
  }
});

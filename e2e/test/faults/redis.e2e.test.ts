import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatResponseSchema } from '@quire/shared/contracts';
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
import { askForStory, expectOneAnswer, messagesIn, type LiveStory, type Story } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

const PAUSE_MS = 10_000;
/** What a crash may cost with `appendfsync everysec`. */
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
  stories: LiveStory[];
  /** Every client gets its one answer on the connection it has; what the streams told. */
  endsWell(): Promise<Story[]>;
}

const RUNS_UNDER_WAY = 3;

/** A stream on each gateway and a caller that waits for JSON, all in the middle of their answers. */
async function underWay(prefix: string, words = 100): Promise<Load> {
  const tags = [`${prefix}-a`, `${prefix}-b`, `${prefix}-json`];
  const json = answerTo(1, `${prefix}-json`, words);
  // Its rejection is told by endsWell().
  json.catch(() => {});
  const stories = await Promise.all(
    [0, 1].map((i) =>
      askForStory(() => [stack.gateways()[i] ?? ''], { message: questionOf(tags[i] ?? '', words) }),
    ),
  );
  await eventually(() => {
    for (const { events } of stories) expect(events.some(({ event }) => event === 'delta')).toBe(true);
    for (const tag of tags) expect(stack.callsFor(tag)).toHaveLength(1);
  });
  return {
    stories,
    async endsWell() {
      const told = await Promise.all(stories.map((story) => story.told));
      for (const [i, story] of told.entries()) {
        expectOneAnswer(story, numberedText(tags[i] ?? '', words));
        expect(story.resumed).toBe(0);
      }
      expect(await json).toBe(numberedText(tags[2] ?? '', words));
      return told;
    },
  };
}

/** Both gateways take questions again, and workers answer them. */
async function expectRecovered(tag: string): Promise<void> {
  for (const gateway of [0, 1]) {
    await eventually(async () =>
      expect(await answerTo(gateway, `${tag}-${gateway}`, 3)).toBe(numberedText(`${tag}-${gateway}`, 3)),
    );
  }
}

/** Fills both workers with runs that do not go on, and leaves a stream and a JSON caller waiting in the queue. */
async function waiting(prefix: string, freePlaces: number): Promise<{ endsWell(): Promise<void> }> {
  const held = holdAnswer();
  stack.providers.chat.byDefault((request) =>
    askedOf(request)?.tag.startsWith(`${prefix}-fill`)
      ? held.behaviour(request)
      : numberedAnswer(request, 15),
  );
  const tags = Array.from({ length: freePlaces }, (_, i) => `${prefix}-fill-${i}`);
  const ask = (tag: string) => askForStory(stack.gateways, { message: questionOf(tag) });
  const stories = await Promise.all(tags.map(ask));
  await eventually(() => {
    for (const tag of tags) expect(stack.callsFor(tag)).toHaveLength(1);
  });
  tags.push(`${prefix}-queued`);
  stories.push(await ask(`${prefix}-queued`));
  const json = answerTo(1, `${prefix}-queued-json`, 20);
  json.catch(() => {});
  await eventually(async () => {
    expect(await stack.redis.zcard('{quire:chat}:chat:prioritized')).toBe(2);
  });
  return {
    async endsWell() {
      held.release();
      for (const [i, { told }] of stories.entries())
        expectOneAnswer(await told, numberedText(tags[i] ?? '', 20));
      expect(await json).toBe(numberedText(`${prefix}-queued-json`, 20));
    },
  };
}

it('FLUSHALL while runs are generating, retrieving and queued: each client gets its answer on the same connection', async () => {
  const { embeddings } = stack.providers;
  const generating = await underWay('wiped', 250);
  // The vector of every other text: whichever worker searches in the end, the book has an answer.
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

it('FLUSHALL when the worker of a run has just died: it is answered anew, under numbers that its client has not seen', async () => {
  const text = numberedText('wiped-twice', 20);
  // Text was shown and no worker appends to it: the next attempt can number its events from the row alone.
  stack.providers.chat.enqueue(answer(text, { tokenMs: 5, stallAfterTokens: 10 }));
  const story = await askForStory(stack.gateways, { message: questionOf('wiped-twice') });
  await eventually(() => expect(textOf(story.events)).toContain('wiped-twice-2'));
  await stack.callsFor('wiped-twice')[0]?.agent?.kill('SIGKILL');
  await stack.redis.flushall();
  const told = await story.told;
  expectOneAnswer(told, text);
  expect(told.resumed).toBe(0);
  await stack.refill();
});

it.each(['killed', 'stopped'])(
  'streams go on without a gap when Redis is %s and comes back with its data',
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

it('a Redis that is killed and has lost its last second: every client ends with one answer, and nothing is done twice', async () => {
  const load = await underWay('crashed', 250);
  const synced = await appendOnlyFile(redis.dataDir);
  // What happens from here to the end is what Redis will not know of.
  const [done, begun] = await Promise.all([
    answerTo(0, 'crashed-done', 3),
    askForStory(stack.gateways, { message: questionOf('crashed-begun') }),
    sleep(UNSYNCED_MS),
  ]);
  await redis.kill('SIGKILL');
  await truncate(synced.path, synced.bytes);
  await redis.restart();
  const told = await load.endsWell();
  told.push(await begun.told);
  expectOneAnswer(told.at(-1) as Story, numberedText('crashed-begun', 20));
  expect(done).toBe(numberedText('crashed-done', 3));
  expect(stack.callsFor('crashed-done')).toHaveLength(1);
  for (const { end } of told) {
    const { session_id } = chatResponseSchema.parse(JSON.parse(end.data));
    expect(await messagesIn(stack.gateways()[0], session_id)).toBe(2);
  }
  await expectRecovered('crashed-after');
});

it('while Redis hangs both gateways refuse one question after the other, and streams go on without a gap afterwards', async () => {
  const load = await underWay('hung');
  const { pid = 0 } = redis;
  process.kill(pid, 'SIGSTOP');
  const end = AbortSignal.timeout(PAUSE_MS);
  end.addEventListener('abort', () => process.kill(pid, 'SIGCONT'));
  const refusals: string[] = [];
  while (!end.aborted) {
    const response = await post(refusals.length % 2, questionOf('hung-refused'));
    const { error_code } = (await response.json()) as { error_code?: string };
    if (!end.aborted)
      refusals.push(`${response.status} ${error_code} ${response.headers.has('retry-after')}`);
    await sleep(20);
  }
  // A gateway that waits for each command's time-out comes to four or five.
  expect(refusals.length).toBeGreaterThan(20);
  expect(new Set(refusals)).toEqual(new Set(['503 QUEUE_UNAVAILABLE true']));
  await load.endsWell();
  await expectRecovered('hung-after');
});

it('streams go on without a gap when every connection to Redis is broken', async () => {
  const load = await underWay('reset');
  await proxy.cut();
  await proxy.restore();
  await load.endsWell();
  await expectRecovered('reset-after');
});

it('streams go on without a gap when the network drops every connection to Redis without a word', async () => {
  const load = await underWay('dropped');
  proxy.strand();
  await load.endsWell();
  await expectRecovered('dropped-after');
  // Ours as well.
  await eventually(() => stack.redis.ping());
});

/** How often an append to a run's log has come to Redis from now on, by run. */
async function appendsByRun(): Promise<Map<string, number>> {
  const { hostname, port, password } = new URL(redis.url);
  // ioredis 6 throws where the first command that it is shown comes along with the reply to MONITOR.
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

it('while Redis is out of memory questions are refused and no run is lost; with memory again all end well', async () => {
  const load = await underWay('full', 400);
  const turnedAway = await appendsByRun();
  await stack.redis.config('SET', 'maxmemory', '1');
  const refused = await post(0, questionOf('full-refused'));
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
  expect(await refused.text()).not.toMatch(/OOM|maxmemory/);
  // A refusal waits half a second at most for its row to be closed.
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

it('after a failover to an empty server every run ends well, those that were queued included', async () => {
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

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { answer } from '@quire/scripted-providers';
import { eventually, startPrivateRedis, textOf, type PrivateStore } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { gatewayUrl } from '../quire-processes.js';
import { holdAnswer } from './held-answer.js';
import { memoryOf, withMemoryProbe } from './memory-of.js';
import { numberedAnswer, numberedText, questionOf } from './numbered-answer.js';
import { followStream, expectOneAnswer, messagesIn } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

const KB = 1024;

let redis: PrivateStore;
let stack: TwoOfEach;
beforeAll(async () => {
  redis = await startPrivateRedis();
  stack = await startTwoOfEach({ REDIS_URL: redis.url, ...withMemoryProbe });
});
afterEach(() => {
  stack.providers.reset();
  stack.providers.chat.byDefault((request) => numberedAnswer(request, 15));
});
afterAll(async () => {
  await stack.close();
  await redis.cleanup();
});

/** A stream whose bytes stay in the socket until the test reads them. */
async function openStream(
  gateway: string | undefined,
  requestId: string,
  lastEventId = '0',
): Promise<IncomingMessage> {
  for (;;) {
    const headers = { 'last-event-id': lastEventId };
    const request = get(`${gateway}/chat/${requestId}/stream`, { agent: false, headers });
    request.on('error', () => {});
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    if (response.statusCode === 200) return response.pause();
    // On a busy machine some of a thousand requests wait too long for a Postgres connection of the gateway.
    expect(response.statusCode).toBe(503);
    response.resume();
    await sleep(Number(response.headers['retry-after']) * 1000);
  }
}

/** Returns the memory that the gateway uses for twenty clients that stop reading mid-answer and twenty that connect late
 * and stop. */
async function stopReading(tag: string) {
  // Far more than the socket buffers of a connection hold.
  const tokens = Array.from({ length: 6000 }, (_, i) => `${i} ${'x'.repeat(1000)} `);
  stack.providers.chat.enqueue(answer(undefined, { tokens, tokenMs: 1, stallAfterTokens: tokens.length }));
  const [service] = stack.alive('gateway');
  const gateway = service && gatewayUrl(service);
  const followed = await followStream(() => [gateway ?? ''], { message: questionOf(tag) });
  await eventually(() => expect(followed.events.some(({ event }) => event === 'delta')).toBe(true));
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => openStream(gateway, followed.requestId)));
  const early = await open(20);
  const before = service ? await memoryOf(service) : 0;
  await eventually(() => expect(followed.events.at(-1)?.data).toContain(`${tokens.length - 1} xxx`));
  expect(textOf(followed.events).trimEnd()).toBe(tokens.join('').trimEnd());
  const late = await open(20);
  // The socket buffers of each client are full.
  await sleep(500);
  const [slow, ...others] = [...early, ...late];
  const letGo = () => {
    for (const stream of others) stream.destroy();
  };
  return {
    slow,
    resumeAfter: (lastEventId: string) => openStream(gateway, followed.requestId, lastEventId),
    lastId: followed.events.at(-1)?.id,
    async heldByEach() {
      const held = service ? (await memoryOf(service)) - before : Number.NaN;
      return held / (early.length + late.length) / KB;
    },
    letGo,
    async end() {
      letGo();
      slow?.destroy();
      await fetch(`${gateway}/chat/${followed.requestId}`, { method: 'DELETE' });
      await followed.finished;
    },
  };
}

it('a client that stops reading, or reads a byte at a time, takes at most 64 KB of events, loses none and delays no other client', async () => {
  // The first round also fills caches and pools that stay.
  await (await stopReading('stuck-at-first')).end();
  const { slow, resumeAfter, lastId, heldByEach, letGo, end } = await stopReading('stuck');
  // 64 KB of events, and the response itself.
  // Pools that had grown have shrunk again by then; events held for clients would stay.
  await eventually(async () => expect(await heldByEach()).toBeLessThan(64 + 32));
  letGo();

  let read = '';
  for (let sips = 0; sips < 20_000;) {
    const byte = slow?.read(1) as Buffer | null;
    if (byte) sips += byte.length;
    else await tick();
    read += byte?.toString() ?? '';
  }
  let stream = slow?.on('data', (bytes: Buffer) => (read += bytes.toString())).resume();
  await eventually(async () => {
    // On a busy machine the waits above take so long that the gateway closes the connection, and the client resumes.
    if (stream?.closed && !read.includes(`id: ${lastId}\n`)) {
      read = read.slice(0, read.lastIndexOf('\n\n') + 2);
      const [, lastRead] = /^[^]*\nid: (\d+)\n/.exec(read) ?? [];
      stream = (await resumeAfter(lastRead ?? '0')).on('data', (bytes: Buffer) => (read += bytes.toString()));
      stream.resume();
    }
    // On a busy machine the last event holds many tokens.
    expect(read.slice(-1_000_000)).toContain(`id: ${lastId}\n`);
  });
  const ids = [...read.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: Number(lastId) }, (_, i) => i + 1));
  await end();
});

it('two concurrent questions of one session have separate streams', async () => {
  const session_id = randomUUID();
  const tags = ['first-of-two', 'second-of-two'];
  const streams = await Promise.all(
    tags.map((tag) => followStream(stack.gateways, { message: questionOf(tag), session_id })),
  );
  for (const [i, { finished }] of streams.entries()) {
    const followed = await finished;
    expectOneAnswer(followed, numberedText(tags[i] ?? '', 20));
    expect(followed.resumed).toBe(0);
  }
  expect(await messagesIn(stack.gateways()[0], session_id)).toBe(4);
});

it('5,000 streams whose clients left, a thousand at a time, leave no subscription, connection or memory behind', async () => {
  const held = holdAnswer();
  stack.providers.chat.byDefault(held.behaviour);
  const runs = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const response = await fetch(`${stack.gateways()[i % 2]}/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'respond-async' },
        body: JSON.stringify({ message: questionOf(`left-${i}`) }),
      });
      return ((await response.json()) as { request_id: string }).request_id;
    }),
  );
  const describeRun = async (id: string) =>
    (await (await fetch(`${stack.gateways()[0]}/chat/${id}`)).json()) as { state: string };
  const connections = async () => ((await stack.redis.client('LIST')) as string).trim().split('\n').length;
  const connectionsBefore = await connections();
  const openAndLeave = async () => {
    const opened = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        openStream(stack.gateways()[i % 2], runs[i % runs.length] ?? ''),
      ),
    );
    await eventually(async () => {
      const channels = (await stack.redis.pubsub('CHANNELS', 'quire:run:*')) as string[];
      const unheard = runs.filter((id) => !channels.some((channel) => channel.includes(id)));
      expect(await Promise.all(unheard.map(describeRun))).toEqual([]);
    });
    expect(await connections()).toBe(connectionsBefore);
    for (const stream of opened) stream.destroy();
    await eventually(async () => {
      expect(await stack.redis.pubsub('CHANNELS', 'quire:run:*')).toEqual([]);
    });
  };
  const footprint = () => Promise.all(stack.alive('gateway').map(memoryOf));
  // The first thousand also fill caches and pools that stay.
  await openAndLeave();
  const before = await footprint();
  for (let wave = 0; wave < 4; wave += 1) await openAndLeave();
  const after = await footprint();
  expect(await connections()).toBe(connectionsBefore);
  for (const [i, bytes] of after.entries()) {
    // Each gateway has served 2,000 of them; the smallest leak would be a listener and what it refers to.
    expect((bytes - (before[i] ?? 0)) / 2000 / KB).toBeLessThan(1);
  }
  held.release();
  for (const id of runs) {
    await eventually(async () => expect((await describeRun(id)).state).toBe('completed'));
  }
});

import { fetchEventSource } from '@microsoft/fetch-event-source';
import { eventually } from '@quire/testkit';
import { EventSource } from 'eventsource';
import { createParser } from 'eventsource-parser';
import { Stream } from 'openai/streaming';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { completed, deltas, startGateway, type GatewayUnderTest } from './gateway-under-test.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A message as a client's handler gets it. */
interface Message {
  id: string;
  event: string;
  data: string;
}

interface Client {
  messages: Message[];
  /** Resolves when the stream has come to its end. */
  ended: Promise<unknown>;
}

const client = {
  '@microsoft/fetch-event-source': (url: string): Client => {
    // The parts of a browser that it uses.
    vi.stubGlobal('window', globalThis);
    vi.stubGlobal('document', { removeEventListener() {} });
    const messages: Message[] = [];
    const ended = fetchEventSource(url, {
      openWhenHidden: true,
      onmessage: ({ id, event, data }) => void messages.push({ id, event, data }),
      onerror(error) {
        throw error;
      },
    });
    return { messages, ended };
  },

  'eventsource-parser': (url: string): Client => {
    const messages: Message[] = [];
    const parser = createParser({
      onEvent: ({ id = '', event = '', data }) => void messages.push({ id, event, data }),
    });
    return { messages, ended: readText(url, (text) => parser.feed(text)) };
  },

  eventsource: (url: string): Client => {
    const messages: Message[] = [];
    const source = new EventSource(url);
    onTestFinished(() => source.close());
    const ended = new Promise<void>((resolve) => {
      for (const type of ['message', 'queued', 'delta', 'completed']) {
        source.addEventListener(type, ({ lastEventId, data }) => {
          messages.push({ id: lastEventId, event: type, data: data as string });
          if (type === 'completed') resolve();
        });
      }
    });
    return { messages, ended };
  },
};

async function readText(url: string, take: (text: string) => void): Promise<void> {
  const response = await fetch(url);
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) take(decoder.decode(bytes as Uint8Array, { stream: true }));
}

async function accept(): Promise<string> {
  const headers = { prefer: 'respond-async' };
  const response = await gateway.post('/chat', { message: 'How do nodes talk?' }, headers);
  return ((await response.json()) as { request_id: string }).request_id;
}

const isFollowed = (runId: string) =>
  eventually(async () =>
    expect((await gateway.redis.pubsub('NUMSUB', `quire:run:{${runId}}:events`))[1]).toBe(1),
  );

/** Fakes the timer of the heartbeats, which is set while there are streams. */
async function stopHeartbeats(): Promise<void> {
  await eventually(async () => expect(await gateway.redis.pubsub('CHANNELS', 'quire:run:*')).toEqual([]));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
}

/** Plays the worker. Ends the run when the client has received `count` events. */
async function answer(
  runId: string,
  received: readonly unknown[],
  count: number,
  beat = (_count: number) => {},
): Promise<void> {
  await isFollowed(runId);
  beat(2);
  await gateway.runLog.append(runId, 1, deltas(runId, 'Hel'));
  beat(1);
  await gateway.runLog.append(runId, 1, deltas(runId, 'lo'));
  await eventually(() => expect(received).toHaveLength(count));
  await gateway.conclude(completed(runId, 'Hello'));
}

const beat = (count: number) => void vi.advanceTimersByTime(count * 15_000);

it.each(Object.entries(client))(
  '%s emits each event of a stream once, with its id and data, and no message for heartbeats',
  async (_name, open) => {
    const runId = await accept();
    await stopHeartbeats();
    const { messages, ended } = open(`${gateway.url}/chat/${runId}/stream`);
    await eventually(() => expect(messages).not.toEqual([]));
    await answer(runId, messages, 3, beat);
    await ended;
    expect(messages.map(({ id, event }) => `${id} ${event}`)).toEqual([
      '1 queued',
      '2 delta',
      '3 delta',
      '4 completed',
    ]);
    for (const { data } of messages) expect(JSON.parse(data)).toMatchObject({ request_id: runId });
  },
);

it.each(Object.entries(client))(
  '%s emits no message before the first event of a stream, however late that is',
  async (_name, open) => {
    const runId = await accept();
    await stopHeartbeats();
    const { messages, ended } = open(`${gateway.url}/chat/${runId}/stream?after=1`);
    await answer(runId, messages, 2, beat);
    await ended;
    expect(messages.map(({ id, event }) => `${id} ${event}`)).toEqual(['2 delta', '3 delta', '4 completed']);
  },
);

it('the SSE reader of the OpenAI SDK emits the data of each event once', async () => {
  const runId = await accept();
  await stopHeartbeats();
  const response = await gateway.get(`/chat/${runId}/stream`);
  const data: unknown[] = [];
  const ended = (async () => {
    for await (const each of Stream.fromSSEResponse(response, new AbortController())) data.push(each);
  })();
  await answer(runId, data, 3, beat);
  await ended;
  expect(data).toMatchObject([{ request_id: runId }, { text: 'Hel' }, { text: 'lo' }, { answer: 'Hello' }]);
});

it('a stream begins with the reconnect hint, before its first event, and continues with heartbeats', async () => {
  const runId = await accept();
  const waits: number[] = [];
  const comments: string[] = [];
  const events: unknown[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (ms) => waits.push(ms),
    onComment: (comment) => comments.push(comment),
  });
  await stopHeartbeats();
  const ended = readText(`${gateway.url}/chat/${runId}/stream?after=1`, (text) => parser.feed(text));
  await eventually(() => expect(waits).toEqual([1000]));
  await answer(runId, events, 2, beat);
  await ended;
  expect(waits).toEqual([1000]);
  expect(comments).toEqual(['heartbeat', 'heartbeat', 'heartbeat']);
});

it('EventSource resumes where its connection was cut, and stops when it has all events', async () => {
  const runId = await accept();
  const asked: { lastEventId: string | undefined; status: number }[] = [];
  const source = new EventSource(`${gateway.url}/chat/${runId}/stream`, {
    async fetch(url, init) {
      const response = await fetch(url, init);
      asked.push({
        lastEventId: new Headers(init.headers).get('last-event-id') ?? undefined,
        status: response.status,
      });
      return response;
    },
  });
  onTestFinished(() => source.close());
  const ids: string[] = [];
  for (const type of ['message', 'queued', 'delta', 'completed']) {
    source.addEventListener(type, ({ lastEventId }) => ids.push(`${lastEventId} ${type}`));
  }
  await eventually(() => expect(ids).toEqual(['1 queued']));
  gateway.server.closeAllConnections();
  await answer(runId, ids, 3);
  await eventually(() => expect(source.readyState).toBe(EventSource.CLOSED), { timeoutMs: 20_000 });
  expect(ids).toEqual(['1 queued', '2 delta', '3 delta', '4 completed']);
  expect(asked).toEqual([
    { lastEventId: undefined, status: 200 },
    { lastEventId: '1', status: 200 },
    { lastEventId: '4', status: 204 },
  ]);
});

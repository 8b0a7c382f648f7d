import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { chatResponseSchema } from '@quire/shared/contracts';
import { answer, startScriptedProviders, type ScriptedProviders } from '@quire/scripted-providers';
import { collectEvents, eventually, textOf } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

const BOOK = 'books/physical-ai/docs/ros2';
const question = { message: 'How do ROS 2 nodes exchange messages on topics?' };
const longAnswer = `${'Nodes publish messages on named topics [1]. '.repeat(12)}Others subscribe [2].`;

let providers: ScriptedProviders;
let quire: QuireProcesses;
beforeAll(async () => {
  providers = await startScriptedProviders();
  quire = await startQuire(
    {
      GEMINI_API_KEY: 'key',
      GEMINI_BASE_URL: providers.geminiBaseUrl,
      EMBEDDER: 'openai',
      EMBEDDING_API_KEY: 'key',
      EMBEDDING_BASE_URL: providers.openaiBaseUrl,
      CONFIDENCE_PRESET: 'lenient',
    },
    { gateway: 2 },
  );
  const ingested = await quire.quire('ingest', BOOK, '--base-url', 'https://physical-ai.example/docs/ros2');
  expect(ingested).toMatchObject({ code: 0 });
});
afterEach(() => providers.reset());
afterAll(async () => {
  await quire.close();
  await providers.close();
});

const followFrom = (gateway: string | undefined, runId: string, after: string | undefined) =>
  fetch(
    `${gateway}/chat/${runId}/stream`,
    after === undefined ? {} : { headers: { 'last-event-id': after } },
  );

describe('a question', () => {
  it('a question is answered as JSON with sources from the book', async () => {
    const response = await quire.ask(question);
    expect(response.status).toBe(200);
    const body = chatResponseSchema.parse(await response.json());
    expect(body.metadata.mode).toBe('full');
    expect(body.sources.length).toBeGreaterThan(0);
    for (const source of body.sources) {
      expect(source).toMatchObject({
        source_url: expect.stringMatching(/^https:\/\/physical-ai\.example\/docs/),
      });
    }
  });

  it.each([
    ['/chat', /^HTTP\/1\.1 200 OK\r\n[^]*"answer":"Nodes talk \[1\]\."/],
    ['/chat/stream', /^HTTP\/1\.1 200 OK\r\n[^]*event: completed\n[^]*"answer":"Nodes talk \[1\]\."/],
  ])('a question of a client that half-closes its connection is answered by %s', async (path, whole) => {
    providers.chat.enqueue(answer('Nodes talk [1].', { firstTokenMs: 1000 }));
    const { hostname, port, host } = new URL(quire.gateways[0] ?? '');
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    const body = JSON.stringify(question);
    const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, 'content-type: application/json'];
    socket.end([...head, `content-length: ${body.length}`, '', body].join('\r\n'));
    expect(await text(socket)).toMatch(whole);
  });

  it('a question is answered as a stream whose text is the stored answer', async () => {
    providers.chat.enqueue(answer(longAnswer, { tokenMs: 2 }));
    const events = await collectEvents(await quire.ask(question, '/chat/stream'));
    expect(events.map((event) => event.id)).toEqual(events.map((_, i) => String(i + 1)));
    const response = chatResponseSchema.parse(JSON.parse(events.at(-1)?.data ?? ''));
    expect(textOf(events)).toBe(response.answer);
    expect(response.answer).toBe(longAnswer);
  });

  it('a stream cut after the third event and resumed on another gateway has the same bytes as an uncut one', async () => {
    providers.chat.enqueue(answer(longAnswer, { tokenMs: 10 }));
    const response = await quire.ask(question, '/chat/stream');
    const runId = response.headers.get('x-request-id') ?? '';
    const head = await collectEvents(response, 3);
    const tail = await collectEvents(await followFrom(quire.gateways[1], runId, head.at(-1)?.id));
    const uncut = await collectEvents(await followFrom(quire.gateways[0], runId, undefined));
    expect([...head, ...tail]).toEqual(uncut);
    expect(Buffer.from(textOf([...head, ...tail]))).toEqual(Buffer.from(longAnswer));
  });

  it('clients of both gateways receive the same events, and one that connects late misses none', async () => {
    providers.chat.enqueue(answer(longAnswer, { tokenMs: 10 }));
    const asked = await quire.ask(question, '/chat', { prefer: 'respond-async' });
    const { request_id: runId } = (await asked.json()) as { request_id: string };
    const early = quire.gateways.map(async (gateway) =>
      collectEvents(await followFrom(gateway, runId, undefined)),
    );
    const [first, second] = await Promise.all(early);
    const late = await collectEvents(await followFrom(quire.gateways[1], runId, undefined));
    expect(first?.at(-1)?.event).toBe('completed');
    expect(second).toEqual(first);
    expect(late).toEqual(first);
  });

  it('a second question continues its thread', async () => {
    const { session_id } = (await (await quire.ask(question)).json()) as { session_id: string };
    providers.reset();
    await quire.ask({ message: 'And how do ROS 2 services and actions exchange messages?', session_id });
    const sent = providers.chat.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(sent).toHaveLength(2);
    for (const prompt of sent) expect(prompt).toContain(`Reader: ${question.message}`);
  });

  it('every process logs lines with the request id of a question', async () => {
    const response = await quire.ask(question);
    const runId = response.headers.get('x-request-id') ?? '';
    const logOf = (name: string) =>
      quire.processes
        .filter((service) => service.name === name)
        .map((service) => service.output())
        .join('');
    for (const name of ['gateway', 'agent-worker', 'retrieval-worker']) {
      await eventually(() => expect(logOf(name)).toContain(runId));
      expect(logOf(name)).not.toContain(question.message);
    }
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import type { ModelEvent, ModelRequest } from './chat-model.js';
import { OpenAiChatModel } from './openai-chat-model.js';
import { ProviderClient } from './provider-error.js';
import type { StallLimits } from './stall-guard.js';

const patient: StallLimits = { firstTokenMs: 60_000, idleMs: 60_000, thinkingMs: 60_000 };
const said = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
});

/** A server that sends these chunks, then ends the stream, closes the connection, repeats the last chunk, or stays silent. */
async function modelThat(
  chunks: unknown[],
  then: 'ends' | 'hangs up' | 'repeats' | 'hangs' = 'ends',
  limits: Partial<StallLimits> = {},
) {
  const bodies: string[] = [];
  const seen = { left: false };
  const server = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => bodies.push(bytes.toString()));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (chunk: unknown) => response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    for (const chunk of chunks) send(chunk);
    response.on('close', () => (seen.left = !response.writableEnded));
    if (then === 'ends') response.end('data: [DONE]\n\n');
    if (then === 'hangs up') response.end();
    if (then === 'repeats') {
      const timer = setInterval(() => send(chunks.at(-1)), 50);
      response.on('close', () => clearInterval(timer));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = new ProviderClient({ apiKey: 'key', baseURL: `http://127.0.0.1:${port}` });
  return {
    model: new OpenAiChatModel(client, 'id', 'any', { ...patient, ...limits }),
    bodies,
    seen,
  };
}

async function eventsOf(model: OpenAiChatModel, request: ModelRequest = question): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
  return events;
}
const question: ModelRequest = { messages: [{ role: 'user', content: 'Why?' }] };

it.each([
  [
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    { prompt: 10, completion: 5, total: 15 },
  ],
  [
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 },
    { prompt: 10, completion: 30, total: 40 },
  ],
  [{ prompt_tokens: 10, total_tokens: 10 }, undefined],
  [{ prompt_tokens: -1, completion_tokens: 5, total_tokens: 4 }, undefined],
  [{ prompt_tokens: 1.5, completion_tokens: 'x', total_tokens: 4 }, undefined],
  [{ prompt_tokens: 1e12, completion_tokens: 1, total_tokens: 1e12 }, undefined],
])('the usage report %j counts as %j', async (usage, tokens) => {
  const { model } = await modelThat([said('So.', 'stop'), { choices: [], usage }]);
  const told = (await eventsOf(model)).find((event) => event.type === 'usage');
  expect(told).toEqual(tokens && { type: 'usage', tokens });
});

it.each([
  ['stop', 'whole'],
  ['eos_token', 'whole'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'filtered'],
])('an answer with the finish reason %s is %s', async (reason, finish) => {
  const { model } = await modelThat([said('So', reason)]);
  expect((await eventsOf(model)).at(-1)).toEqual({ type: 'finish', reason: finish });
});

const brokeOff = { kind: 'unavailable', message: 'The stream ended without a finish reason' };

it('an answer without a finish reason is whole if its stream ends with [DONE]', async () => {
  const { model } = await modelThat([said('So')]);
  expect((await eventsOf(model)).at(-1)).toEqual({ type: 'finish', reason: 'whole' });
});

it('an answer without a finish reason fails as unavailable if the connection closes', async () => {
  const { model } = await modelThat([said('So. data: [DONE]')], 'hangs up');
  await expect(eventsOf(model)).rejects.toMatchObject(brokeOff);
});

it('a stream of nothing but [DONE] fails as unavailable', async () => {
  const { model } = await modelThat([said('')]);
  await expect(eventsOf(model)).rejects.toMatchObject(brokeOff);
});

const thought = (piece: object) => ({ choices: [{ index: 0, delta: piece, finish_reason: null }] });

it.each<[string, unknown[]]>([
  ['in its own field', [thought({ reasoning_content: 'I wonder' }), thought({ reasoning: '.' })]],
  ['in a block before it', [said('<thi'), said('nk>I wonder'), said('.</think>\n\n')]],
  ['in its own content parts', [thought({ content: [{ type: 'thinking', thinking: 'I wonder.' }] })]],
])('reasoning %s is no part of the answer', async (_title, thoughts) => {
  const { model } = await modelThat([...thoughts, said('So.', 'stop')]);
  const events = await eventsOf(model);
  expect(events.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'So.' }]);
  expect(events.filter(({ type }) => type === 'thought').length).toBeGreaterThan(0);
});

it('an answer in content parts is read across chunks', async () => {
  const parts = (text: string) => thought({ content: [{ type: 'text', text }] });
  const { model } = await modelThat([parts('So'), parts(' on.'), said('', 'stop')]);
  const texts = (await eventsOf(model)).flatMap((event) => (event.type === 'text' ? event.text : []));
  expect(texts.join('')).toBe('So on.');
});

it.each([
  ['in its own field', thought({ reasoning_content: 'Hm. ' })],
  ['in an unclosed block', said('<think>Hm. ')],
])('a model that reasons without end %s fails as misbehaved after its time limit', async (_title, piece) => {
  const { model } = await modelThat([piece], 'repeats', { thinkingMs: 300 });
  await expect(eventsOf(model)).rejects.toMatchObject({
    kind: 'misbehaved',
    message: 'The model reasoned for too long',
  });
});

it('the call to the provider ends when the caller stops reading', async () => {
  const { model, seen } = await modelThat([said('So')], 'repeats');
  for await (const _event of model.stream(question, new AbortController().signal)) break;
  await eventually(() => expect(seen.left).toBe(true));
});

it('a server that sends only empty chunks counts as silent', async () => {
  const { model } = await modelThat([said('')], 'repeats', { firstTokenMs: 300 });
  await expect(eventsOf(model)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The model sent nothing for too long',
  });
});

it('an answer with a finish reason is whole although its connection stays open', async () => {
  const { model } = await modelThat([said('So.', 'stop')], 'hangs');
  expect(await eventsOf(model)).toEqual([
    { type: 'text', text: 'So.' },
    { type: 'finish', reason: 'whole' },
  ]);
});

it('invalid JSON in tool arguments is not sent back to the model', async () => {
  const { model, bodies } = await modelThat([said('So.', 'stop')]);
  const toolCalls = [{ id: 'a', name: '', arguments: '{"query": "unfin' }];
  await eventsOf(model, {
    messages: [
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', toolCallId: 'a', content: 'Error' },
    ],
  });
  const { messages } = JSON.parse(bodies.join('')) as { messages: unknown[] };
  expect(messages[0]).toMatchObject({
    content: null,
    tool_calls: [{ function: { name: 'unknown', arguments: '{}' } }],
  });
});

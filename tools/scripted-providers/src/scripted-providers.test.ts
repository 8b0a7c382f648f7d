import { Cohere } from 'cohere-ai';
import { expect, it, onTestFinished } from 'vitest';
import { question, streamAnswer } from '../test/ask.js';
import { cohereClient, openAiClient } from '../test/use-providers.js';
import { stallAfter } from './chat/chat-builders.js';
import {
  type ScriptedProviders,
  type ScriptedProvidersOptions,
  startScriptedProviders,
} from './scripted-providers.js';

const start = async (options: ScriptedProvidersOptions = {}): Promise<ScriptedProviders> => {
  const providers = await startScriptedProviders(options);
  onTestFinished(() => providers.close());
  return providers;
};

it('unscripted answers cite the given passages, with the same text whether streamed or not', async () => {
  const providers = await start();
  const client = openAiClient(providers.openaiBaseUrl);
  const content = '[1] Tides follow the moon.\n[2] The moon is far away.\n\nWhat moves the tides?';
  const asked = { model: 'any', messages: [{ role: 'user' as const, content }] };
  const whole = await client.chat.completions.create(asked);
  const streamed = await client.chat.completions.stream(asked).finalContent();
  expect(whole.choices[0]?.message.content).toBe('Tides follow the moon [1]. The moon is far away [2].');
  expect(streamed).toBe(whole.choices[0]?.message.content);
});

it('a request is recorded with its body, its headers and its time', async () => {
  const providers = await start();
  const before = Date.now();
  await openAiClient(providers.openaiBaseUrl, 'sk-1').chat.completions.create({
    ...question,
    temperature: 0.1,
  });
  const [recorded] = providers.chat.requests;
  expect(recorded).toMatchObject({ path: '/v1/chat/completions', body: { ...question, temperature: 0.1 } });
  expect(recorded?.headers.authorization).toBe('Bearer sk-1');
  expect(recorded?.receivedAt).toBeGreaterThanOrEqual(before);
});

it('close ends stalled connections without recording them as aborted, and may be called again', async () => {
  const providers = await start();
  providers.chat.enqueue(stallAfter(1, 'one two'));
  const seen: string[] = [];
  const reading = streamAnswer(openAiClient(providers.openaiBaseUrl), { seen });
  const failure = reading.catch((error: unknown) => error);
  await expect.poll(() => seen).toEqual(['one']);
  await Promise.all([providers.close(), providers.close()]);
  await providers.close();
  expect(await failure).toMatchObject({ message: 'terminated' });
  expect(providers.chat.requests[0]?.aborted).toBe(false);
});

it('the port of a closed server can be used again', async () => {
  const first = await start();
  const port = Number(new URL(first.openaiBaseUrl).port);
  await first.close();
  const second = await start({ port });
  expect(second.openaiBaseUrl).toBe(first.openaiBaseUrl);
});

it('a server does not start on a port in use', async () => {
  const first = await start();
  await expect(start({ port: Number(new URL(first.openaiBaseUrl).port) })).rejects.toThrow('EADDRINUSE');
});

it("a wrong key and an unknown model get Cohere's error shape", async () => {
  const providers = await start({ requireApiKey: 'right', knownModels: ['rerank-v3.5'] });
  const request = { model: 'rerank-0', query: 'x', documents: ['x'] };
  const stranger = await cohereClient(providers.cohereBaseUrl, 'wrong')
    .rerank(request)
    .catch((error: unknown) => error);
  const mistaken = await cohereClient(providers.cohereBaseUrl, 'right')
    .rerank(request)
    .catch((error: unknown) => error);
  expect(stranger).toBeInstanceOf(Cohere.UnauthorizedError);
  expect(stranger).toMatchObject({ body: { message: 'invalid api token' } });
  expect(mistaken).toBeInstanceOf(Cohere.NotFoundError);
  expect(mistaken).toMatchObject({
    body: { message: expect.stringContaining("model 'rerank-0' not found") },
  });
});

it.each([
  ['/v1/models', { error: { message: 'Invalid URL (GET /v1/models)', type: 'invalid_request_error' } }],
  ['/v2/chat', { message: 'no such endpoint: GET /v2/chat' }],
])('the unknown path %s gets a 404 in the shape of its protocol', async (path, body) => {
  const providers = await start();
  const response = await fetch(new URL(path, providers.openaiBaseUrl));
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject(body);
});

it('a body that is not JSON is a bad request', async () => {
  const providers = await start();
  const response = await fetch(`${providers.openaiBaseUrl}/chat/completions`, {
    method: 'POST',
    body: '{"model',
  });
  expect(response.status).toBe(400);
});

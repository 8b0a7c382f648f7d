import * as errors from 'openai';
import { expect, it } from 'vitest';
import { question, streamAnswer } from '../../test/ask.js';
import { openAiClient, useProviders } from '../../test/use-providers.js';
import { failWith } from '../behaviours/fault.js';
import { answer } from './chat-builders.js';

const running = useProviders({ requireApiKey: 'test-key', knownModels: [question.model] });

it.each([
  [400, errors.BadRequestError],
  [401, errors.AuthenticationError],
  [403, errors.PermissionDeniedError],
  [404, errors.NotFoundError],
  [409, errors.ConflictError],
  [422, errors.UnprocessableEntityError],
  [429, errors.RateLimitError],
  [500, errors.InternalServerError],
  [503, errors.InternalServerError],
])('status %i raises the SDK error of its class', async (status, errorClass) => {
  running.providers.chat.enqueue(failWith(status, { message: 'As scripted', code: 'scripted' }));
  const failure = await streamAnswer(running.openai).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(errorClass);
  expect(failure).toMatchObject({ status, code: 'scripted', message: `${status} As scripted` });
});

it('Retry-After is visible to the client', async () => {
  running.providers.chat.enqueue(failWith(429, { retryAfterSeconds: 7 }));
  const failure = await streamAnswer(running.openai).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'rate_limit_exceeded', type: 'requests' });
  expect((failure as errors.RateLimitError).headers.get('retry-after')).toBe('7');
});

it('the SDK retries after a scripted failure and gets the next behaviour', async () => {
  running.providers.chat.enqueue(failWith(503, { retryAfterSeconds: 0.001 }), answer('Second time lucky'));
  expect((await streamAnswer(running.openai.withOptions({ maxRetries: 1 }))).text).toBe('Second time lucky');
  expect(running.providers.chat.requests).toHaveLength(2);
});

it('a raw error body is sent as it is', async () => {
  running.providers.chat.enqueue(failWith(502, { body: '<html>Bad gateway</html>' }));
  await expect(streamAnswer(running.openai)).rejects.toThrow('502 <html>Bad gateway</html>');
});

it('a wrong key is refused without consuming a behaviour', async () => {
  running.providers.chat.enqueue(answer('Only for the right key'));
  const stranger = openAiClient(running.providers.openaiBaseUrl, 'wrong-key');
  await expect(streamAnswer(stranger)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  expect(running.providers.chat.queued).toBe(1);
  expect((await streamAnswer(running.openai)).text).toBe('Only for the right key');
});

it('an unknown model is not found', async () => {
  const asking = running.openai.chat.completions.create({ ...question, model: 'gpt-0' });
  await expect(asking).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
});

it('a request without messages is a bad request', async () => {
  const asking = running.openai.chat.completions.create({ model: question.model, messages: [] });
  await expect(asking).rejects.toBeInstanceOf(errors.BadRequestError);
});

it('a behaviour function that throws is reported to the client as a failed script', async () => {
  running.providers.chat.enqueue(() => {
    throw new Error('no such chapter');
  });
  await expect(streamAnswer(running.openai)).rejects.toThrow('500 The script failed: Error: no such chapter');
});

import { APIConnectionError, APIUserAbortError, OpenAIError } from 'openai';
import { expect, it } from 'vitest';
import { question, streamAnswer } from '../../test/ask.js';
import { useProviders } from '../../test/use-providers.js';
import { refuse } from '../behaviours/fault.js';
import { answer, cutAfter, malformedAfter, stallAfter } from './chat-builders.js';

const running = useProviders();
const TEXT = 'one two three four five';

it('a cut in mid-stream raises after exactly the tokens before it', async () => {
  running.providers.chat.enqueue(cutAfter(3, TEXT));
  const seen: string[] = [];
  await expect(streamAnswer(running.openai, { seen })).rejects.toThrow('terminated');
  expect(seen.join('')).toBe('one two three');
  expect(running.providers.chat.requests[0]?.aborted).toBe(false);
});

it('a cut after no token raises once the stream has begun', async () => {
  running.providers.chat.enqueue(cutAfter(0, TEXT));
  const stream = await running.openai.chat.completions.create({ ...question, stream: true });
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('terminated');
});

it('a cut beyond the last token comes before the finishing chunk', async () => {
  running.providers.chat.enqueue(cutAfter(99, TEXT));
  const seen: string[] = [];
  await expect(streamAnswer(running.openai, { seen })).rejects.toThrow('terminated');
  expect(seen.join('')).toBe(TEXT);
});

it('a cut of an answer that is not streamed raises', async () => {
  running.providers.chat.enqueue(cutAfter(1, TEXT));
  await expect(running.openai.chat.completions.create(question)).rejects.toThrow('terminated');
});

it('a stall is ended by an abort signal and recorded as aborted', async () => {
  running.providers.chat.enqueue(stallAfter(2, TEXT));
  const controller = new AbortController();
  const seen: string[] = [];
  const reading = streamAnswer(running.openai, { signal: controller.signal, seen });
  await expect.poll(() => seen.join('')).toBe('one two');
  expect(running.providers.chat.requests[0]?.aborted).toBe(false);
  controller.abort();
  await reading;
  await expect.poll(() => running.providers.chat.requests[0]?.aborted).toBe(true);
});

it('a stall of an answer that is not streamed is ended by an abort signal', async () => {
  running.providers.chat.enqueue(stallAfter(0, TEXT));
  const controller = new AbortController();
  const asking = running.openai.chat.completions.create(question, { signal: controller.signal });
  await expect.poll(() => running.providers.chat.requests).toHaveLength(1);
  controller.abort();
  await expect(asking).rejects.toBeInstanceOf(APIUserAbortError);
  await expect.poll(() => running.providers.chat.requests[0]?.aborted).toBe(true);
});

it('a client that closes its connection between two slow tokens is recorded as aborted, with the time', async () => {
  running.providers.chat.enqueue(answer(TEXT, { tokenMs: 60_000 }));
  const stream = await running.openai.chat.completions.create({ ...question, stream: true });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  const [recorded] = running.providers.chat.requests;
  await expect.poll(() => recorded?.aborted).toBe(true);
  expect(recorded?.abortedAt).toBeGreaterThanOrEqual(recorded?.receivedAt ?? Infinity);
});

it('an answer read to its end is not recorded as aborted', async () => {
  running.providers.chat.enqueue(answer(TEXT));
  await streamAnswer(running.openai);
  await running.openai.chat.completions.create(question);
  expect(running.providers.chat.requests.map((request) => request.aborted)).toEqual([false, false]);
});

it('a malformed chunk raises a syntax error after the tokens before it', async () => {
  running.providers.chat.enqueue(malformedAfter(2, TEXT));
  const seen: string[] = [];
  await expect(streamAnswer(running.openai, { seen })).rejects.toBeInstanceOf(SyntaxError);
  expect(seen.join('')).toBe('one two');
});

it('a malformed answer that is not streamed raises a syntax error', async () => {
  running.providers.chat.enqueue(malformedAfter(0, TEXT));
  await expect(running.openai.chat.completions.create(question)).rejects.toBeInstanceOf(SyntaxError);
});

it('empty choices carry no content in either form, and the stream helper refuses them', async () => {
  running.providers.chat.byDefault(answer(TEXT, { emptyChoices: true }));
  const whole = await running.openai.chat.completions.create(question);
  const { chunks } = await streamAnswer(running.openai);
  expect(whole.choices).toEqual([]);
  expect(chunks.map((chunk) => chunk.choices)).toEqual([[]]);
  await expect(running.openai.chat.completions.stream(question).finalMessage()).rejects.toBeInstanceOf(
    OpenAIError,
  );
});

it('a refused connection raises a connection error before any response', async () => {
  running.providers.chat.enqueue(refuse());
  await expect(streamAnswer(running.openai)).rejects.toBeInstanceOf(APIConnectionError);
});

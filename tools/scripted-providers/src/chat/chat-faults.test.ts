import { APIConnectionError, APIUserAbortError, OpenAIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { question, streamAnswer } from '../../test/ask.js';
import { useProviders } from '../../test/use-providers.js';
import { refuse } from '../behaviours/fault.js';
import { answer, cutAfter, malformedAfter, stallAfter } from './chat-builders.js';

const running = useProviders();
const TEXT = 'one two three four five';

describe('a cut', () => {
  test('in mid-stream raises after exactly the tokens before it', async () => {
    running.providers.chat.enqueue(cutAfter(3, TEXT));
    const seen: string[] = [];
    await expect(streamAnswer(running.openai, { seen })).rejects.toThrow('terminated');
    expect(seen.join('')).toBe('one two three');
    expect(running.providers.chat.requests[0]?.aborted).toBe(false);
  });

  test('after no token raises once the stream has begun', async () => {
    running.providers.chat.enqueue(cutAfter(0, TEXT));
    const stream = await running.openai.chat.completions.create({ ...question, stream: true });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('terminated');
  });

  test('beyond the last token comes before the finishing chunk', async () => {
    running.providers.chat.enqueue(cutAfter(99, TEXT));
    const seen: string[] = [];
    await expect(streamAnswer(running.openai, { seen })).rejects.toThrow('terminated');
    expect(seen.join('')).toBe(TEXT);
  });

  test('of an answer that is not streamed raises', async () => {
    running.providers.chat.enqueue(cutAfter(1, TEXT));
    await expect(running.openai.chat.completions.create(question)).rejects.toThrow('terminated');
  });
});

describe('a stall', () => {
  test('is ended by an abort signal and recorded as aborted', async () => {
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

  test('of an answer that is not streamed is ended by an abort signal', async () => {
    running.providers.chat.enqueue(stallAfter(0, TEXT));
    const controller = new AbortController();
    const asking = running.openai.chat.completions.create(question, { signal: controller.signal });
    await expect.poll(() => running.providers.chat.requests).toHaveLength(1);
    controller.abort();
    await expect(asking).rejects.toBeInstanceOf(APIUserAbortError);
    await expect.poll(() => running.providers.chat.requests[0]?.aborted).toBe(true);
  });
});

test('a client that leaves between two slow tokens is recorded as aborted, and when', async () => {
  running.providers.chat.enqueue(answer(TEXT, { tokenMs: 60_000 }));
  const stream = await running.openai.chat.completions.create({ ...question, stream: true });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  const [recorded] = running.providers.chat.requests;
  await expect.poll(() => recorded?.aborted).toBe(true);
  expect(recorded?.abortedAt).toBeGreaterThanOrEqual(recorded?.receivedAt ?? Infinity);
});

test('an answer read to its end is not recorded as aborted', async () => {
  running.providers.chat.enqueue(answer(TEXT));
  await streamAnswer(running.openai);
  await running.openai.chat.completions.create(question);
  expect(running.providers.chat.requests.map((request) => request.aborted)).toEqual([false, false]);
});

test('a malformed chunk raises a syntax error after the tokens before it', async () => {
  running.providers.chat.enqueue(malformedAfter(2, TEXT));
  const seen: string[] = [];
  await expect(streamAnswer(running.openai, { seen })).rejects.toBeInstanceOf(SyntaxError);
  expect(seen.join('')).toBe('one two');
});

test('a malformed answer that is not streamed raises a syntax error', async () => {
  running.providers.chat.enqueue(malformedAfter(0, TEXT));
  await expect(running.openai.chat.completions.create(question)).rejects.toBeInstanceOf(SyntaxError);
});

test('empty choices carry no content in either form, and the stream helper refuses them', async () => {
  running.providers.chat.byDefault(answer(TEXT, { emptyChoices: true }));
  const whole = await running.openai.chat.completions.create(question);
  const { chunks } = await streamAnswer(running.openai);
  expect(whole.choices).toEqual([]);
  expect(chunks.map((chunk) => chunk.choices)).toEqual([[]]);
  await expect(running.openai.chat.completions.stream(question).finalMessage()).rejects.toBeInstanceOf(
    OpenAIError,
  );
});

test('a refused connection raises a connection error before any response', async () => {
  running.providers.chat.enqueue(refuse());
  await expect(streamAnswer(running.openai)).rejects.toBeInstanceOf(APIConnectionError);
});

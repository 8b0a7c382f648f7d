import { BadRequestError, RateLimitError } from 'openai';
import { expect, it } from 'vitest';
import { useProviders } from '../../test/use-providers.js';
import { failWith } from '../behaviours/fault.js';
import { vectors } from './embeddings-behaviour.js';

const running = useProviders();
const model = 'text-embedding-3-small';
const input = ['the vector index', 'bread and flour'];

it('the base64 vectors the SDK asks for are the same numbers as floats', async () => {
  const base64 = await running.openai.embeddings.create({ model, input });
  const float = await running.openai.embeddings.create({ model, input, encoding_format: 'float' });
  expect(running.providers.embeddings.requests.map(({ body }) => body.encodings)).toEqual([
    ['base64'],
    ['float'],
  ]);
  expect(base64.data).toEqual(float.data);
  expect(float.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
    [0, 1_536],
    [1, 1_536],
  ]);
});

it('the requested dimension and the single string are honoured', async () => {
  const { data, usage } = await running.openai.embeddings.create({
    model,
    input: 'twelve chars',
    dimensions: 256,
  });
  expect(data.map(({ embedding }) => embedding.length)).toEqual([256]);
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
});

it.each([
  ['an empty string', ['fine', '']],
  ['an empty list', []],
  ['more than 2048 inputs', Array.from({ length: 2_049 }, () => 'x')],
])('%s is a bad request', async (_, wrong) => {
  await expect(running.openai.embeddings.create({ model, input: wrong })).rejects.toBeInstanceOf(
    BadRequestError,
  );
});

it('2048 inputs are accepted', async () => {
  const many = Array.from({ length: 2_048 }, (_, index) => `text ${index}`);
  const { data } = await running.openai.embeddings.create({ model, input: many, dimensions: 8 });
  expect(data).toHaveLength(2_048);
});

it('a wrong count of vectors and a wrong dimension are sent as scripted', async () => {
  running.providers.embeddings.enqueue(
    vectors({ count: 1 }),
    vectors({ count: 3 }),
    vectors({ dimension: 7 }),
  );
  const counts: number[] = [];
  for (let call = 0; call < 2; call += 1) {
    counts.push((await running.openai.embeddings.create({ model, input })).data.length);
  }
  const { data } = await running.openai.embeddings.create({ model, input });
  expect(counts).toEqual([1, 3]);
  expect(data.map(({ embedding }) => embedding.length)).toEqual([7, 7]);
});

it('scripted vectors are sent instead of computed ones', async () => {
  running.providers.embeddings.enqueue((request) =>
    vectors({ vectors: request.texts.map((text) => [text.length, 0.5]) }),
  );
  const { data } = await running.openai.embeddings.create({ model, input: ['ab', 'abcd'] });
  expect(data.map(({ embedding }) => embedding)).toEqual([
    [2, 0.5],
    [4, 0.5],
  ]);
});

it('a call is served while an earlier, slow one waits', async () => {
  running.providers.embeddings.enqueue(vectors({ latencyMs: 3_600_000 }), vectors());
  const controller = new AbortController();
  const slow = running.openai.embeddings.create({ model, input }, { signal: controller.signal });
  await expect.poll(() => running.providers.embeddings.requests).toHaveLength(1);
  const quick = await running.openai.embeddings.create({ model, input });
  expect(quick.data).toHaveLength(input.length);
  controller.abort();
  await expect(slow).rejects.toThrow('Request was aborted.');
});

it('an error, a cut and a stall of embeddings reach the client', async () => {
  running.providers.embeddings.enqueue(
    failWith(429, { retryAfterSeconds: 2 }),
    vectors({ cut: true }),
    vectors({ stall: true }),
  );
  const embed = (signal?: AbortSignal) => running.openai.embeddings.create({ model, input }, { signal });
  await expect(embed()).rejects.toBeInstanceOf(RateLimitError);
  await expect(embed()).rejects.toThrow('terminated');
  const controller = new AbortController();
  const stalled = embed(controller.signal);
  await expect.poll(() => running.providers.embeddings.requests).toHaveLength(3);
  controller.abort();
  await expect(stalled).rejects.toThrow('Request was aborted.');
  await expect
    .poll(() => running.providers.embeddings.requests.map(({ aborted }) => aborted))
    .toEqual([false, false, true]);
});

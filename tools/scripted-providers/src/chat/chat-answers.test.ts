import { expect, it } from 'vitest';
import { question, streamAnswer } from '../../test/ask.js';
import { openAiClient, useProviders } from '../../test/use-providers.js';
import { answer } from './chat-builders.js';

const running = useProviders();
const TEXT = 'A chunk is a piece of a book,\n\n"quoted" and — with ünïcode 📚 — kept whole. ';

it('a streamed answer is exactly the scripted text', async () => {
  running.providers.chat.enqueue(answer(TEXT));
  const { text, chunks } = await streamAnswer(running.openai);
  expect(text).toBe(TEXT);
  expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
});

it('an answer that is not streamed is exactly the scripted text', async () => {
  running.providers.chat.enqueue(answer(TEXT));
  const completion = await running.openai.chat.completions.create(question);
  expect(completion.choices[0]?.message.content).toBe(TEXT);
  expect(completion.choices[0]?.finish_reason).toBe('stop');
});

it('tokens given one by one arrive one by one', async () => {
  const tokens = ['Ch', 'unk', 's', '', ' [1]', '.'];
  running.providers.chat.enqueue(answer(undefined, { tokens, tokenMs: 1 }));
  const { chunks } = await streamAnswer(running.openai);
  expect(chunks.slice(1, -1).map((chunk) => chunk.choices[0]?.delta.content)).toEqual(tokens);
});

it('an answer larger than the socket buffers arrives whole', async () => {
  const text = 'word '.repeat(60_000);
  running.providers.chat.enqueue(answer(text));
  expect((await streamAnswer(running.openai)).text).toBe(text);
});

it('an empty answer still opens and finishes its stream', async () => {
  running.providers.chat.enqueue(answer(''));
  const { text, chunks } = await streamAnswer(running.openai);
  expect(text).toBe('');
  expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([null, 'stop']);
});

it('the scripted finish reason reaches the client', async () => {
  running.providers.chat.enqueue(answer('Cut sh', { finishReason: 'length' }));
  const { chunks } = await streamAnswer(running.openai);
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
});

it.each(['eos_token', null])(
  'the finish reason %s reaches the client as it is scripted',
  async (finishReason) => {
    running.providers.chat.enqueue(answer('So.', { finishReason }));
    const { chunks } = await streamAnswer(running.openai);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe(finishReason);
  },
);

it('reasoning comes before the content, in its own field', async () => {
  running.providers.chat.byDefault(answer('So.', { reasoning: ['Let me ', 'think.'] }));
  const { text, chunks } = await streamAnswer(running.openai);
  expect(text).toBe('So.');
  const deltas = chunks.map((chunk) => chunk.choices[0]?.delta);
  expect(deltas.slice(1, 4)).toEqual([
    { reasoning_content: 'Let me ' },
    { reasoning_content: 'think.' },
    { content: 'So.' },
  ]);
  const whole = await running.openai.chat.completions.create(question);
  expect(whole.choices[0]?.message).toMatchObject({ content: 'So.', reasoning_content: 'Let me think.' });
});

it('content can be scripted to come as a list of parts', async () => {
  running.providers.chat.byDefault(answer('So.', { asParts: true }));
  const { chunks } = await streamAnswer(running.openai);
  const parts = [{ type: 'text', text: 'So.' }];
  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content)).toContainEqual(parts);
  const whole = await running.openai.chat.completions.create(question);
  expect(whole.choices[0]?.message.content).toEqual(parts);
});

it('usage ends a stream only when the request asks for it', async () => {
  running.providers.chat.byDefault(answer('Two words', { usage: { promptTokens: 7, completionTokens: 3 } }));
  const asked = await streamAnswer(running.openai, { includeUsage: true });
  const silent = await streamAnswer(running.openai);
  expect(asked.chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
  expect(asked.chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  expect(silent.chunks.every((chunk) => chunk.usage === undefined)).toBe(true);
});

it('usage is estimated from the prompt and the tokens when the script gives none', async () => {
  running.providers.chat.enqueue(answer('three short words'));
  const { usage } = await running.openai.chat.completions.create(question);
  expect(usage).toEqual({ prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 });
});

it('omitted usage is left out even where the request asks for it', async () => {
  running.providers.chat.byDefault(answer('No bill', { omitUsage: true }));
  const { chunks } = await streamAnswer(running.openai, { includeUsage: true });
  const whole = await running.openai.chat.completions.create(question);
  expect(chunks.every((chunk) => !chunk.usage)).toBe(true);
  expect(whole.usage).toBeUndefined();
});

it('the same protocol is served under the path Gemini uses', async () => {
  running.providers.chat.enqueue(answer('From Gemini'));
  const gemini = openAiClient(running.providers.geminiBaseUrl);
  expect((await streamAnswer(gemini)).text).toBe('From Gemini');
  expect(running.providers.chat.requests[0]?.path).toBe('/v1beta/openai/chat/completions');
});

import { expect, it } from 'vitest';
import { question } from '../../test/ask.js';
import { useProviders } from '../../test/use-providers.js';
import { answer, toolCall } from './chat-builders.js';

const running = useProviders();
const tools = ['search', 'open_page'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: {} },
}));

it('the SDK joins tool calls that are split over chunks', async () => {
  running.providers.chat.enqueue(
    answer('Let me look.', {
      toolCalls: [
        { name: 'search', arguments: '{"query":"vector index","limit":5}', splitOver: 7 },
        { name: 'open_page', arguments: '{"page":12}', splitOver: 2 },
      ],
    }),
  );
  const stream = running.openai.chat.completions.stream({ ...question, tools });
  const message = await stream.finalMessage();
  expect(message.content).toBe('Let me look.');
  expect(message.tool_calls?.map((call) => call.type === 'function' && call.function)).toMatchObject([
    { name: 'search', arguments: '{"query":"vector index","limit":5}' },
    { name: 'open_page', arguments: '{"page":12}' },
  ]);
  expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('tool_calls');
});

it('the arguments arrive in the scripted number of chunks', async () => {
  running.providers.chat.enqueue(toolCall('search', { query: 'vector index' }, { splitOver: 4 }));
  const stream = await running.openai.chat.completions.create({ ...question, tools, stream: true });
  const pieces: string[] = [];
  for await (const chunk of stream) {
    const piece = chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments;
    if (piece) pieces.push(piece);
  }
  expect(pieces).toHaveLength(4);
  expect(JSON.parse(pieces.join(''))).toEqual({ query: 'vector index' });
});

it('a tool call without text has null content when it is not streamed', async () => {
  running.providers.chat.enqueue(toolCall('search', { query: 'x' }));
  const completion = await running.openai.chat.completions.create({ ...question, tools });
  expect(completion.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: null, tool_calls: [{ type: 'function', function: { name: 'search' } }] },
  });
});

it('arguments that are broken JSON are sent as they are', async () => {
  running.providers.chat.enqueue(toolCall('search', '{"query": "unfinis', { splitOver: 3 }));
  const stream = running.openai.chat.completions.stream({ ...question, tools });
  const message = await stream.finalMessage();
  expect(message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"query": "unfinis' } });
});

it('a signed tool call comes as from Gemini: whole, without an index, with its signature', async () => {
  running.providers.chat.enqueue(
    answer(undefined, { toolCalls: [{ name: 'search', arguments: '{}', thoughtSignature: 'abc' }] }),
  );
  const stream = await running.openai.chat.completions.create({ ...question, tools, stream: true });
  const pieces: unknown[] = [];
  for await (const chunk of stream) pieces.push(...(chunk.choices[0]?.delta.tool_calls ?? []));
  expect(pieces).toEqual([
    {
      id: expect.any(String),
      type: 'function',
      function: { name: 'search', arguments: '{}' },
      extra_content: { google: { thought_signature: 'abc' } },
    },
  ]);
});

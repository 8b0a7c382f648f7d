import type { RetrievalQuery } from '@quire/shared/contracts';
import { DependencyUnavailable } from '@quire/shared/errors';
import { answer, toolCall, type ChatRequest } from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { chunkNumbered, foundPassages } from './found-passages.js';
import { responseOf, shownText, wordsOf } from './shown-answer.js';

const SEARCH = 'search_book_content';
let agent: AgentUnderTest;
let searched: RetrievalQuery[];

beforeAll(async () => {
  agent = await startAgent();
});
beforeEach(() => {
  searched = [];
  agent.retrieve((payload) => {
    searched.push(payload);
    const number = searched.length;
    // The first search returns passages 1 to 3, each later one a new passage and passage 1.
    if (number === 1) return Promise.resolve(foundPassages());
    return Promise.resolve({ ...foundPassages(1), chunks: [chunkNumbered(number + 2), chunkNumbered(1)] });
  });
});
afterEach(async () => {
  agent.providers.reset();
  await agent.forgetFailures();
});
afterAll(() => agent.close());

const run = async (request = {}) => {
  const ended = await agent.ended(await agent.ask(request));
  return { ...ended, response: responseOf(ended.outcome), shown: shownText(ended.events) };
};
const requests = (): ChatRequest[] => agent.providers.chat.requests.map(({ body }) => body);
const toolResults = (request: ChatRequest | undefined) =>
  request?.messages.filter(({ role }) => role === 'tool').map(wordsOf) ?? [];

describe('searches of the model', () => {
  it('a model that searches gets newly numbered passages and may cite old and new ones', async () => {
    agent.providers.chat.enqueue(
      toolCall(SEARCH, { query: 'services', limit: 2, score_threshold: 0.4 }),
      answer('New [4]. Old [2].'),
    );
    const { response, shown } = await run({ filters: { module: 'ros2' } });
    expect(searched[1]).toMatchObject({
      query: 'services',
      top_k: 2,
      similarity_threshold: 0.4,
      filters: { module: 'ros2' },
    });
    expect(shown).toBe('New [1]. Old [2].');
    expect(response.answer).toBe(shown);
    expect(response.sources.map((source) => 'chunk_id' in source && source.chunk_id)).toEqual([
      'chunk-4',
      'chunk-2',
    ]);
    const [found] = toolResults(requests()[1]);
    expect(found).toContain('[4] Page 4');
    expect(found).toContain('You have these already: [1]');
    expect(found).not.toContain('Text of passage 1');
  });

  it('every search of a run is stored with its answer', async () => {
    agent.providers.chat.enqueue(toolCall(SEARCH, { query: 'services' }), answer('So [4].'));
    const { id } = await run({ message: 'What else?' });
    const { retrieval_calls: calls } = await agent.db
      .selectFrom('messages')
      .select('retrieval_calls')
      .where('run_id', '=', id)
      .where('role', '=', 'assistant')
      .executeTakeFirstOrThrow();
    expect(calls).toMatchObject([
      { tool: SEARCH, query: 'What else?', results: 3, mean_similarity: 0.8 },
      { tool: SEARCH, query: 'services', results: 2, took_ms: expect.any(Number), at: expect.any(String) },
    ]);
  });

  it('the tool calls of one completion run concurrently, however their fragments are cut', async () => {
    let under = 0;
    let most = 0;
    agent.retrieve(async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 100));
      under -= 1;
      return foundPassages();
    });
    agent.providers.chat.enqueue(
      answer(undefined, {
        toolCalls: [
          { name: SEARCH, arguments: '{"query":"services","limit":3}', splitOver: 9 },
          { name: SEARCH, arguments: '{"query":"actions","limit":3}', splitOver: 4 },
        ],
      }),
      answer('So [1].'),
    );
    await run();
    expect(most).toBe(2);
    expect(toolResults(requests()[1])).toHaveLength(2);
  });

  it('a repeated search is not sent to retrieval again', async () => {
    agent.providers.chat.enqueue(
      toolCall(SEARCH, { query: '  HOW do nodes   talk? ', limit: 5 }),
      toolCall(SEARCH, { query: 'services' }),
      toolCall(SEARCH, { query: 'services' }),
      answer('So [1].'),
    );
    await run();
    expect(searched.map(({ query }) => query)).toEqual(['How do nodes talk?', 'services']);
    expect(toolResults(requests()[1])[0]).toBe('You have these already: [1] [2] [3]');
  });

  it('a model may search in three rounds before it must answer', async () => {
    agent.providers.chat.byDefault(({ tool_choice: choice }) =>
      choice === 'none' ? answer('Enough [1].') : toolCall(SEARCH, { query: `round ${searched.length}` }),
    );
    const { response } = await run();
    agent.providers.chat.byDefault(answer());
    expect(searched).toHaveLength(4);
    expect(requests().map(({ tool_choice: choice }) => choice)).toEqual(['auto', 'auto', 'auto', 'none']);
    expect(response.answer).toBe('Enough [1].');
  });

  it('a model that searches again after its last round fails', async () => {
    agent.providers.chat.byDefault(() => toolCall(SEARCH, { query: `round ${searched.length}` }));
    const { response } = await run();
    agent.providers.chat.byDefault(answer());
    expect(response).toMatchObject({ answer: null, metadata: { mode: 'retrieval_only' } });
  });

  it('a model that writes text and searches again after its last round fails, and the text is voided', async () => {
    agent.providers.chat.byDefault(() => ({
      ...toolCall(SEARCH, { query: `round ${searched.length}` }),
      text: 'Let me look that up [1].',
    }));
    const { response, shown } = await run();
    agent.providers.chat.byDefault(answer());
    expect(response).toMatchObject({ answer: null, metadata: { mode: 'retrieval_only' } });
    expect(shown).toBe('');
  });

  it('text before a search is voided', async () => {
    agent.providers.chat.enqueue(
      { ...toolCall(SEARCH, { query: 'services' }), text: 'Let me look that up [1].' },
      answer('Found [4].'),
    );
    const { events, shown, response } = await run();
    expect(shown).toBe('Found [1].');
    expect(response.sources).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'reset')).toMatchObject([{ data: { reason: 'searching' } }]);
  });

  it('unnumbered calls of Gemini that end with `stop` are sent back with their thought signatures', async () => {
    const signed = (query: string) => ({
      name: SEARCH,
      arguments: JSON.stringify({ query }),
      thoughtSignature: `signed ${query}`,
    });
    agent.providers.chat.enqueue(
      answer(undefined, { toolCalls: [signed('services'), signed('actions')], finishReason: 'stop' }),
      answer('So [4].'),
    );
    await run();
    expect(
      searched
        .map(({ query }) => query)
        .slice(1)
        .sort(),
    ).toEqual(['actions', 'services']);
    const assistant = requests()[1]?.messages.find(({ role }) => role === 'assistant');
    expect(assistant?.['tool_calls']).toMatchObject([
      { extra_content: { google: { thought_signature: 'signed services' } } },
      { extra_content: { google: { thought_signature: 'signed actions' } } },
    ]);
  });

  it('a model answers from its passages if a further search fails', async () => {
    agent.retrieve((payload) => {
      searched.push(payload);
      if (searched.length === 1) return Promise.resolve(foundPassages());
      return Promise.reject(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The index is away'));
    });
    agent.providers.chat.enqueue(toolCall(SEARCH, { query: 'services' }), answer('So [1].'));
    const { response } = await run();
    expect(response.answer).toBe('So [1].');
    expect(toolResults(requests()[1])).toEqual([
      'Error: the search is not available now; answer from what you have.',
    ]);
  });

  it('a model is told if its search finds nothing', async () => {
    agent.retrieve((payload) => {
      searched.push(payload);
      return Promise.resolve(searched.length === 1 ? foundPassages() : foundPassages(0));
    });
    agent.providers.chat.enqueue(toolCall(SEARCH, { query: 'services' }), answer('So [1].'));
    await run();
    expect(toolResults(requests()[1])).toEqual(['Nothing was found.']);
  });
});

describe('invalid tool calls', () => {
  it.each<[string, name: string, args: string, reason: RegExp]>([
    ['an unknown tool', 'delete_book', '{"query":"x"}', /no such tool; use search_book_content/],
    ['invalid JSON', SEARCH, '{"query": "unfin', /not valid JSON/],
    ['arguments that are no object', SEARCH, '"x"', /arguments: /],
    ['no query', SEARCH, '{}', /query: /],
    ['characters in the query that stores refuse', SEARCH, String.raw`{"query":"a\u0000b"}`, /query: /],
    ['an empty query', SEARCH, '{"query":"  "}', /query: /],
    ['a limit out of range', SEARCH, '{"query":"x","limit":99}', /limit: /],
    ['a threshold out of range', SEARCH, '{"query":"x","score_threshold":7}', /score_threshold: /],
  ])('a tool call with %s returns the problem to the model', async (_, name, args, reason) => {
    agent.providers.chat.enqueue(toolCall(name, args), answer('Anyway [1].'));
    const { response } = await run();
    expect(response.answer).toBe('Anyway [1].');
    expect(toolResults(requests()[1])).toEqual([expect.stringMatching(reason)]);
    expect(searched).toHaveLength(1);
  });

  it('the fifth and sixth tool calls of one completion are refused', async () => {
    const toolCalls = Array.from({ length: 6 }, (_, i) => ({ name: SEARCH, arguments: `{"query":"q${i}"}` }));
    agent.providers.chat.enqueue(answer(undefined, { toolCalls }), answer('So [1].'));
    await run();
    expect(searched).toHaveLength(5);
    expect(toolResults(requests()[1]).slice(4)).toEqual([
      'Error: at most 4 calls at once are allowed.',
      'Error: at most 4 calls at once are allowed.',
    ]);
  });
});

it('the passages of later searches stay within the token budget of the prompt', async () => {
  const tight = await startAgent({ promptTokenBudget: 2000 });
  try {
    const long = (number: number) => ({ ...chunkNumbered(number), text: 'word '.repeat(600) });
    let searches = 0;
    tight.retrieve(() => {
      searches += 1;
      return Promise.resolve({ ...foundPassages(3), chunks: [1, 2, 3].map((n) => long(n + 10 * searches)) });
    });
    tight.providers.chat.enqueue(
      toolCall(SEARCH, { query: 'more' }),
      toolCall(SEARCH, { query: 'even more' }),
      toolCall(SEARCH, { query: 'yet more' }),
      answer('So [1].'),
    );
    await tight.ended(await tight.ask());
    const last = tight.providers.chat.requests.at(-1)?.body.messages ?? [];
    const characters = last.map(wordsOf).join('').length;
    expect(characters / 4).toBeLessThan(2000);
    expect(last.findLast(({ role }) => role === 'tool')?.content).toBe(
      'There is no room for more: answer from what you have.',
    );
  } finally {
    await tight.close();
  }
});

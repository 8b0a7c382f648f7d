import { answer, toolCall, vectors } from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

const SEARCH = 'search_book_content';
const QUESTION = 'How do nodes publish messages on topics?';
const WHOLE = 'Nodes publish on topics [1].';

let quire: AnsweringQuire;
beforeAll(async () => {
  const env = { CONFIDENCE_PRESET: 'tiered' };
  quire = await startAnsweringQuire(env, {
    Nodes: 'Nodes publish messages on topics. Other nodes subscribe to these topics.',
    Services: 'A service answers each request with one reply.',
    Actions: 'An action pursues a goal and gives feedback.',
  });
});
afterEach(() => quire.startAfresh());
afterAll(() => quire.close());

describe('an invalid tool call', () => {
  it.each<[string, name: string, args: string, reason: RegExp]>([
    ['an unknown tool', 'delete_book', '{"query":"x"}', /no such tool; use search_book_content/],
    ['broken JSON', SEARCH, '{"query": "unfin', /not valid JSON/],
    ['no query', SEARCH, '{}', /query: /],
    ['a limit out of range', SEARCH, '{"query":"x","limit":99}', /limit: /],
    ['a threshold out of range', SEARCH, '{"query":"x","score_threshold":7}', /score_threshold: /],
  ])(
    'a tool call with %s gets a tool error with the reason, and nothing is searched',
    async (_, name, args, reason) => {
      quire.providers.chat.enqueue(toolCall(name, args), answer(WHOLE));
      const { answer: text, request_id } = await quire.answerTo({ message: QUESTION });
      expect(text).toBe(WHOLE);
      expect(quire.toolAnswers(1)).toEqual([expect.stringMatching(reason)]);
      expect(await quire.searchesOf(request_id)).toHaveLength(1);
    },
  );
});

describe('a model that searches again', () => {
  it('tool calls of one model turn run concurrently, however they are split into chunks, and their results keep the order', async () => {
    const queries = ['goal feedback of an action', 'reply of a service'];
    const together = withheldUntilAllAsk(queries);
    const toolCalls = queries.map((query, i) => ({
      name: SEARCH,
      arguments: JSON.stringify({ query }),
      splitOver: 9 - 5 * i,
    }));
    quire.providers.chat.enqueue(answer(undefined, { toolCalls }), answer('Feedback [2], reply [3].'));
    const { sources } = await quire.answerTo({ message: QUESTION });
    expect(together()).toBe(true);
    expect(quire.toolAnswers(1)).toEqual([
      expect.stringContaining('[2] Actions'),
      expect.stringContaining('[3] Services'),
    ]);
    expect(sources).toMatchObject([{ title: 'Actions' }, { title: 'Services' }]);
  });

  it('a repeated search of a model is answered from memory, and each search made is stored with the message', async () => {
    quire.providers.chat.enqueue(
      toolCall(SEARCH, { query: `  ${QUESTION.toUpperCase()} `, limit: 5 }),
      toolCall(SEARCH, { query: 'reply of a service' }),
      toolCall(SEARCH, { query: 'Reply of  a service' }),
      answer(WHOLE),
    );
    const { request_id, confidence } = await quire.answerTo({ message: QUESTION });
    expect(quire.toolAnswers(1)).toEqual(['You have these already: [1]']);
    expect(quire.toolAnswers(3)[2]).toBe('You have these already: [2]');
    const measured = { took_ms: expect.any(Number) as number, at: expect.any(String) as string };
    const searches = await quire.searchesOf(request_id);
    expect(searches).toEqual([
      { tool: SEARCH, query: QUESTION, results: 1, mean_similarity: confidence, ...measured },
      {
        tool: SEARCH,
        query: 'reply of a service',
        results: 1,
        mean_similarity: expect.closeTo(0.54, 1) as number,
        ...measured,
      },
    ]);
  });

  it('a model may search in three rounds, then it has to answer', async () => {
    quire.providers.chat.byDefault(({ tool_choice: choice }) =>
      choice === 'none' ? answer(WHOLE) : toolCall(SEARCH, { query: `service ${quire.sent().length}` }),
    );
    const { answer: text, request_id } = await quire.answerTo({ message: QUESTION });
    expect(text).toBe(WHOLE);
    expect(quire.sent().map(({ tool_choice: choice }) => choice)).toEqual(['auto', 'auto', 'auto', 'none']);
    expect(await quire.searchesOf(request_id)).toHaveLength(4);
  });
});

/** Holds the vectors of these texts back until all have been requested; resolves once they have. */
function withheldUntilAllAsk(texts: readonly string[]): () => boolean {
  const missing = new Set(texts);
  let release: () => void;
  const all = new Promise<void>((resolve) => (release = resolve));
  quire.providers.embeddings.byDefault(async (request) => {
    const awaited = request.texts.filter((text) => texts.includes(text));
    for (const text of awaited) missing.delete(text);
    if (missing.size === 0) release();
    if (awaited.length > 0) await all;
    return vectors();
  });
  return () => missing.size === 0;
}

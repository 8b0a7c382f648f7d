import { answer, toolCall } from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { REFUSAL, SELECTION_REFUSAL } from '../src/response/answer.js';
import { NOT_FOUND_SIGN } from '../src/prompt/common-rules.js';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { foundPassages } from './found-passages.js';
import { responseOf, shownText } from './shown-answer.js';

let agent: AgentUnderTest;
beforeAll(async () => {
  agent = await startAgent();
});
afterEach(async () => {
  agent.providers.reset();
  agent.retrieve(() => Promise.resolve(foundPassages()));
  await agent.forgetFailures();
});
afterAll(() => agent.close());

const run = async (request = {}) => {
  const { outcome, events } = await agent.ended(await agent.ask(request));
  return { response: responseOf(outcome), shown: shownText(events), events };
};

it('a question is refused without a model call if retrieval is insufficient', async () => {
  agent.retrieve(() => Promise.resolve(foundPassages(1, 'insufficient')));
  const { response, shown } = await run();
  expect(response).toMatchObject({
    answer: REFUSAL,
    sources: [],
    should_answer: false,
    metadata: { mode: 'no_results', tokens_used: { total: 0 } },
  });
  expect(shown).toBe(REFUSAL);
  expect(agent.providers.chat.requests).toHaveLength(0);
});

describe('the sign that the book does not hold the answer', () => {
  const notFound = {
    answer: REFUSAL,
    sources: [],
    should_answer: false,
    confidence_level: 'insufficient',
    metadata: { mode: 'no_results', model: 'first' },
  };

  it.each([
    ['alone', NOT_FOUND_SIGN],
    ['in bold', `**${NOT_FOUND_SIGN}**`],
    ['before other text', `${NOT_FOUND_SIGN} The passages speak of topics [1].`],
    ['after text without citations', `I am sorry. ${NOT_FOUND_SIGN}`],
  ])('an answer is refused if the model sends the sign %s', async (_, text) => {
    agent.providers.chat.enqueue(answer(text, { tokenMs: 1 }));
    const { response, shown } = await run();
    expect(response).toMatchObject(notFound);
    expect(response.metadata.tokens_used.total).toBeGreaterThan(0);
    expect(shown).toBe(REFUSAL);
  });

  it('an answer that only sounds like a refusal is kept', async () => {
    agent.providers.chat.enqueue(
      answer('The passages do not say who invented it, but they say how it works [1].'),
    );
    const { response } = await run();
    expect(response).toMatchObject({ metadata: { mode: 'full' }, sources: [{ marker: 1 }] });
  });

  it('an answer with citations is kept if the sign follows it', async () => {
    agent.providers.chat.enqueue(answer(`Nodes talk [1]. ${NOT_FOUND_SIGN}`));
    const { response, shown } = await run();
    expect(response.metadata.mode).toBe('full');
    expect(response.answer).toBe(shown);
    expect(shown).toMatch(/^Nodes talk \[1\]\.\s*$/);
  });

  it('an answer is refused if the model sends the sign after a search', async () => {
    agent.providers.chat.enqueue(toolCall('search_book_content', { query: 'x' }), answer(NOT_FOUND_SIGN));
    expect((await run()).response).toMatchObject(notFound);
  });
});

describe('answers from a selection', () => {
  const selected_text = 'A node is a process. It publishes on topics.\n\nServices answer requests.';

  it('an answer from a selection has the cited spans as sources', async () => {
    agent.providers.chat.enqueue(answer('By request [3], and by topic [2].'));
    const { response, shown } = await run({ selected_text });
    expect(response.answer).toBe('By request [1], and by topic [2].');
    expect(shown).toBe(response.answer);
    const spans = response.sources.map((source) =>
      'source_type' in source ? selected_text.slice(source.char_start, source.char_end) : '',
    );
    expect(spans).toEqual(['Services answer requests.', 'It publishes on topics.']);
    expect(response.sources[0]).toMatchObject({
      source_type: 'selected_text',
      marker: 1,
      selection_length: selected_text.length,
    });
    expect(response.metadata.mode).toBe('selected_text');
  });

  it('a question about a selection causes no search and offers no tool', async () => {
    let searches = 0;
    agent.retrieve(() => {
      searches += 1;
      return Promise.resolve(foundPassages());
    });
    agent.providers.chat.enqueue(toolCall('search_book_content', { query: 'x' }), answer('So [1].'));
    const { response } = await run({ selected_text });
    expect(searches).toBe(0);
    expect(agent.providers.chat.requests[0]?.body).not.toHaveProperty('tools');
    expect(response.metadata.retrieval_count).toBe(0);
  });

  it('a selection that does not hold the answer leads to a refusal', async () => {
    agent.providers.chat.enqueue(answer(NOT_FOUND_SIGN));
    const { response, shown } = await run({ selected_text });
    expect(response).toMatchObject({
      answer: SELECTION_REFUSAL,
      sources: [],
      should_answer: false,
      metadata: { mode: 'selected_text' },
    });
    expect(shown).toBe(SELECTION_REFUSAL);
  });

  it('an answer from a selection keeps only markers of its spans', async () => {
    agent.providers.chat.enqueue(answer('Invented [9]. True [1].'));
    expect((await run({ selected_text })).response.answer).toBe('Invented. True [1].');
  });
});

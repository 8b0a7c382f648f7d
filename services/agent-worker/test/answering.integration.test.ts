import { answer } from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { foundPassages } from './found-passages.js';
import { responseOf, shownText } from './shown-answer.js';

let agent: AgentUnderTest;
beforeAll(async () => {
  agent = await startAgent();
});
afterEach(() => {
  agent.providers.reset();
  agent.retrieve(() => Promise.resolve(foundPassages()));
});
afterAll(() => agent.close());

describe('answers from the book', () => {
  it('a run passes through every state, streams the text that is stored and cites retrieved passages', async () => {
    agent.providers.chat.enqueue(answer('Nodes publish on topics [2]. Others subscribe [1][2].'));
    const { events, outcome, attempt } = await agent.ended(await agent.ask());
    const response = responseOf(outcome);
    expect(events.filter((event) => event.type !== 'delta').map((event) => event.type)).toEqual([
      'status',
      'retrieval',
      'status',
      'completed',
    ]);
    expect(shownText(events)).toBe(response.answer);
    expect(response.answer).toBe('Nodes publish on topics [1]. Others subscribe [2][1].');
    expect(response.sources.map((source) => 'chunk_id' in source && source.chunk_id)).toEqual([
      'chunk-2',
      'chunk-1',
    ]);
    expect(response).toMatchObject({
      confidence: 0.8,
      confidence_level: 'high',
      metadata: { mode: 'full', model: 'first', retrieval_count: 3, attempts: 1 },
    });
    expect(response.metadata.tokens_used.total).toBeGreaterThan(0);
    expect(attempt).toBe(1);
  });

  it('an answer never shows a marker that names no passage', async () => {
    agent.providers.chat.enqueue(answer('True [1]. Invented [7]. Both [3, 9].', { tokenMs: 1 }));
    const { events, outcome } = await agent.ended(await agent.ask());
    expect(shownText(events)).toBe('True [1]. Invented. Both [2].');
    expect(responseOf(outcome).sources).toHaveLength(2);
  });

  it('an answer without citations is flagged, and its confidence level lowered by one', async () => {
    agent.providers.chat.enqueue(answer('Nodes talk somehow.'));
    const response = responseOf((await agent.ended(await agent.ask())).outcome);
    expect(response).toMatchObject({ confidence_level: 'medium', sources: [], metadata: { uncited: true } });
  });

  it('an answer from passages of low confidence has its own mode and prompt', async () => {
    agent.retrieve(() => Promise.resolve(foundPassages(2, 'low')));
    const response = responseOf((await agent.ended(await agent.ask())).outcome);
    expect(response.metadata).toMatchObject({ mode: 'low_confidence', low_confidence: true });
    expect(JSON.stringify(agent.providers.chat.requests[0]?.body)).toContain('only in part');
  });

  it('an answer of low confidence without citations keeps its mode', async () => {
    agent.retrieve(() => Promise.resolve(foundPassages(2, 'low')));
    agent.providers.chat.enqueue(answer('Nodes talk somehow.'));
    const response = responseOf((await agent.ended(await agent.ask())).outcome);
    expect(response).toMatchObject({
      confidence_level: 'insufficient',
      metadata: { mode: 'low_confidence', low_confidence: true, uncited: true },
    });
  });

  it('characters that stores refuse are replaced before an answer is shown and stored', async () => {
    agent.providers.chat.enqueue(answer('A\u0000 lone \uD83D half [1].'));
    const { events, outcome } = await agent.ended(await agent.ask());
    expect(responseOf(outcome).answer).toBe('A lone \uFFFD half [1].');
    expect(shownText(events)).toBe(responseOf(outcome).answer);
  });

  it('a question and its answer are stored as the next turn of the thread', async () => {
    const session_id = 'a2f9a1d4-52c5-4d4e-8a5a-0f4f6a1b2c3d';
    agent.providers.chat.enqueue(answer('First [1].'), answer('Two, standing alone?'), answer('Second [1].'));
    await agent.ended(await agent.ask({ message: 'One?', session_id }));
    await agent.ended(await agent.ask({ message: 'Two?', session_id }));
    const messages = await agent.db
      .selectFrom('messages')
      .select(['seq', 'role', 'content', 'retrieval_calls'])
      .where('thread_id', '=', session_id)
      .orderBy('seq')
      .execute();
    expect(messages.map(({ seq, role, content }) => `${seq} ${role} ${content}`)).toEqual([
      '1 user One?',
      '2 assistant First [1].',
      '3 user Two?',
      '4 assistant Second [1].',
    ]);
    expect(messages[1]?.retrieval_calls).toMatchObject([{ query: 'One?', results: 3, mean_similarity: 0.8 }]);
  });
});

it('retrieval gets the search parameters of the caller', async () => {
  const asked: unknown[] = [];
  agent.retrieve((payload) => {
    asked.push(payload);
    return Promise.resolve(foundPassages());
  });
  await agent.ended(await agent.ask({ top_k: 2, similarity_threshold: 0.4, filters: { module: 'ros2' } }));
  expect(asked).toMatchObject([
    { query: 'How do nodes talk?', top_k: 2, similarity_threshold: 0.4, filters: { module: 'ros2' } },
  ]);
});

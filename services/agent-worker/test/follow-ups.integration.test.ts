import { randomUUID } from 'node:crypto';
import { answer, failWith, stallAfter, type ChatRequest } from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { foundPassages } from './found-passages.js';
import { responseOf, wordsOf } from './shown-answer.js';

let agent: AgentUnderTest;
let searched: string[];
beforeAll(async () => {
  agent = await startAgent({ rewriteTimeoutMs: 1000 });
});
beforeEach(() => {
  searched = [];
  agent.retrieve(({ query }) => {
    searched.push(query);
    return Promise.resolve(foundPassages());
  });
});
afterEach(async () => {
  agent.providers.reset();
  agent.providers.chat.byDefault(answer());
  await agent.forgetFailures();
});
afterAll(() => agent.close());

const ask = async (message: string, session_id: string) =>
  responseOf((await agent.ended(await agent.ask({ message, session_id }))).outcome);
const textOf = (request: ChatRequest | undefined) => (request?.messages ?? []).map(wordsOf).join('\n');
const isRewrite = (request: ChatRequest) => textOf(request).startsWith('Rewrite');

describe('follow-ups', () => {
  it('a follow-up is rewritten in a model call of its own before the search', async () => {
    const session = randomUUID();
    await ask('What is a node?', session);
    agent.providers.reset();
    agent.providers.chat.enqueue(answer('“How do ROS 2 nodes talk?”\n'), answer('They publish [1].'));
    const response = await ask('And how do they talk?', session);
    expect(searched).toEqual(['What is a node?', 'How do ROS 2 nodes talk?']);
    expect(response).toMatchObject({
      query: 'And how do they talk?',
      metadata: { rewritten_query: 'How do ROS 2 nodes talk?' },
    });
    const [rewrite, answering] = agent.providers.chat.requests.map(({ body }) => body);
    expect(textOf(rewrite)).toContain('in the same language');
    expect(textOf(rewrite)).toContain('Reader: What is a node?');
    expect(textOf(rewrite)).not.toContain('[1]');
    expect(rewrite).not.toHaveProperty('tools');
    expect(textOf(answering)).toContain('And how do they talk?');
    expect(textOf(answering)).toContain('How do ROS 2 nodes talk?');
    expect(response.metadata.tokens_used.total).toBeGreaterThan(0);
  });

  it('a follow-up that the model repeats unchanged is not reported as rewritten', async () => {
    const session = randomUUID();
    await ask('What is a node?', session);
    agent.providers.chat.enqueue(answer('What is a topic?'), answer('This [1].'));
    expect((await ask('What is a topic?', session)).metadata).not.toHaveProperty('rewritten_query');
  });

  it('a question without history causes no call for a rewrite', async () => {
    await ask('What is a node?', randomUUID());
    expect(agent.providers.chat.requests.filter(({ body }) => isRewrite(body))).toHaveLength(0);
  });

  it.each([
    ['fails', failWith(503)],
    ['stalls', stallAfter(0, 'x')],
    ['answers instead of asking', answer('A node is a process.\nIt publishes.')],
    ['writes nothing', answer('')],
    ['is cut short', answer('How do RO', { finishReason: 'length' })],
  ])('a follow-up is joined to the previous question if the model %s', async (_, behaviour) => {
    const session = randomUUID();
    await ask('What is a node?', session);
    agent.providers.chat.byDefault((request) => (isRewrite(request) ? behaviour : answer('So [1].')));
    const response = await ask('How do they talk?', session);
    expect(searched.at(-1)).toBe('What is a node? How do they talk?');
    expect(response.metadata.rewritten_query).toBe('What is a node? How do they talk?');
  });
});

it('in a thread of ten turns each prompt holds the last five exchanges in order', async () => {
  const session = randomUUID();
  const sent: ChatRequest[] = [];
  agent.providers.chat.byDefault((request) => {
    // The topic summary, which is made beside the answers.
    if (textOf(request).startsWith('Summarize')) return answer('Questions');
    sent.push(request);
    const asked = /<question[^>]*>\n(.*)\n/.exec(textOf(request))?.[1] ?? '';
    return answer(isRewrite(request) ? `Standalone: ${asked}` : `Answer to ${asked} [1].`);
  });
  for (let turn = 1; turn <= 10; turn += 1) {
    const response = await ask(`question ${turn}`, session);
    expect(response.answer).toBe(`Answer to question ${turn} [1].`);
    const prompt = textOf(sent.at(-1));
    const recent = [...prompt.matchAll(/Reader: (.*)\nAnswer: (.*)/g)].map(([, question, said]) => [
      question,
      said,
    ]);
    const first = Math.max(1, turn - 5);
    expect(recent).toEqual(
      Array.from({ length: turn - first }, (_, i) => [
        `question ${first + i}`,
        `Answer to question ${first + i}.`,
      ]),
    );
    expect(searched.at(-1)).toBe(turn === 1 ? 'question 1' : `Standalone: question ${turn}`);
    expect(prompt).toContain('[1] Page 1 > Topics\nText of passage 1');
  }
  const { count } = await agent.db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('thread_id', '=', session)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(20);
});

import {
  answer,
  cutAfter,
  failWith,
  malformedAfter,
  refuse,
  stallAfter,
  type ChatBehaviour,
} from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { responseOf, shownText } from './shown-answer.js';

const whole = 'Nodes talk [1].';
const long = `${'Nodes talk a lot [1]. '.repeat(20)}End.`;

interface Failure {
  title: string;
  behaviour: ChatBehaviour;
  /** How often a model that always fails like this is called: again only while nothing was shown. */
  tries: 1 | 2;
  resets?: 1;
  reason?: string;
  /** Called with short time limits, which the other cases could exceed on a busy machine. */
  stalls?: true;
}

const failures: Failure[] = [
  { title: 'refuses connections', behaviour: refuse(), tries: 2 },
  { title: 'answers 500', behaviour: failWith(500), tries: 2 },
  { title: 'answers 503', behaviour: failWith(503), tries: 2 },
  {
    title: 'answers 429',
    behaviour: failWith(429, { retryAfterSeconds: 0.3 }),
    tries: 2,
    reason: 'model_rate_limited',
  },
  { title: 'answers 401', behaviour: failWith(401), tries: 1, reason: 'model_misconfigured' },
  { title: 'answers 404', behaviour: failWith(404), tries: 1, reason: 'model_misconfigured' },
  { title: 'disconnects before the first token', behaviour: cutAfter(0, long), tries: 2 },
  { title: 'disconnects after one token', behaviour: cutAfter(1, long), tries: 1, resets: 1 },
  { title: 'disconnects after 50 tokens', behaviour: cutAfter(50, long), tries: 1, resets: 1 },
  { title: 'stalls before the first token', behaviour: stallAfter(0, long), tries: 2, stalls: true },
  {
    title: 'stalls after the first token',
    behaviour: stallAfter(1, long),
    tries: 1,
    resets: 1,
    stalls: true,
  },
  { title: 'sends garbage', behaviour: malformedAfter(3, long), tries: 1, resets: 1 },
  { title: 'writes an empty answer', behaviour: answer(''), tries: 1 },
  { title: 'sends no choices', behaviour: answer(undefined, { emptyChoices: true }), tries: 2 },
  {
    title: 'refuses the request as too long',
    behaviour: failWith(400, { code: 'context_length_exceeded' }),
    tries: 1,
    reason: 'request_rejected',
  },
  {
    title: 'refuses the request as above its limit for a minute',
    behaviour: failWith(429, { message: 'Request too large for gpt-5 on tokens per min (TPM)' }),
    tries: 1,
    reason: 'request_rejected',
  },
  {
    title: 'refuses a key with 400',
    behaviour: failWith(400, { body: '[{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}]' }),
    tries: 1,
    reason: 'model_misconfigured',
  },
  {
    title: 'writes only zero-width characters',
    behaviour: answer('\u200B\u2060'),
    tries: 1,
    resets: 1,
  },
  { title: 'writes only reasoning', behaviour: answer('<think>Nodes talk [1].'), tries: 1 },
  {
    title: 'writes only reasoning, in a field of its own',
    behaviour: answer('', { reasoning: ['Hm'] }),
    tries: 1,
  },
  {
    title: 'has its answer filtered',
    behaviour: answer('Nodes are', { finishReason: 'content_filter' }),
    tries: 1,
    resets: 1,
    reason: 'answer_filtered',
  },
];

const short = { firstTokenMs: 1500, idleMs: 1500 };
let agent: AgentUnderTest;
let alone: AgentUnderTest;
let hasty: AgentUnderTest;
let hastyAlone: AgentUnderTest;
beforeAll(async () => {
  agent = await startAgent();
  alone = await startAgent({ models: 'only' });
  hasty = await startAgent(short);
  hastyAlone = await startAgent({ ...short, models: 'only' });
});
afterEach(async () => {
  for (const each of [agent, alone, hasty, hastyAlone]) {
    each.providers.reset();
    each.providers.chat.byDefault(answer());
    await each.forgetFailures();
  }
});
afterAll(() => Promise.all([agent, alone, hasty, hastyAlone].map((each) => each.close())));

async function outcomeOf({ ask, ended, providers }: AgentUnderTest) {
  const { outcome, events, deadlineAt } = await ended(await ask());
  const response = responseOf(outcome);
  expect(Date.parse(response.timestamp)).toBeLessThan(deadlineAt.getTime());
  const resets = events.filter((event) => event.type === 'reset').length;
  const asked = providers.chat.requests.map(({ body }) => body.model);
  return { response, shown: shownText(events), resets, asked };
}

describe.each(failures)(
  'a model that $title',
  ({ title, behaviour, tries, resets = 0, reason = 'model_unavailable', stalls }) => {
    const chain = () => (stalls ? hasty : agent);
    const single = () => (stalls ? hastyAlone : alone);
    const sourcesAlone = {
      answer: null,
      fallback_message: 'AI summarization unavailable',
      metadata: { mode: 'retrieval_only', degraded_reason: reason, model: null },
    };

    it(`a model that ${title} is replaced by the next one, and a reset voids shown text`, async () => {
      chain().providers.chat.byDefault(({ model }) => (model === 'first' ? behaviour : answer(whole)));
      const { response, shown, asked, ...seen } = await outcomeOf(chain());
      expect(response).toMatchObject({ answer: whole, metadata: { mode: 'full', model: 'second' } });
      expect(shown).toBe(whole);
      expect(asked).toEqual([...Array.from({ length: tries }, () => 'first'), 'second']);
      expect(seen.resets).toBe(resets);
    });

    it(`a model that ${title} and is the only one leaves an answer of sources alone`, async () => {
      single().providers.chat.byDefault(behaviour);
      const { response, shown, asked, ...seen } = await outcomeOf(single());
      expect(response).toMatchObject(sourcesAlone);
      expect(response.sources.map((source) => source.marker)).toEqual([1, 2, 3]);
      expect(shown).toBe('');
      expect(asked).toHaveLength(tries);
      expect(seen.resets).toBe(resets);
    });

    it(`a model that ${title} leaves sources alone if the breaker refuses the other one`, async () => {
      chain().providers.chat.enqueue(failWith(401), answer(whole), failWith(401), answer(whole));
      for (let run = 0; run < 2; run += 1) await chain().ended(await chain().ask());
      chain().providers.reset();
      chain().providers.chat.byDefault(behaviour);
      const { response, shown, asked } = await outcomeOf(chain());
      expect(response).toMatchObject(sourcesAlone);
      expect(shown).toBe('');
      expect(asked).toEqual(Array.from({ length: tries }, () => 'second'));
    });
  },
);

describe('the retry of a model', () => {
  it('a model that fails before anything was shown is called once more', async () => {
    agent.providers.chat.enqueue(failWith(503), answer(whole));
    const { response, asked, resets } = await outcomeOf(agent);
    expect(response).toMatchObject({ answer: whole, metadata: { model: 'first' } });
    expect({ asked, resets }).toEqual({ asked: ['first', 'first'], resets: 0 });
  });

  it('a model with a short rate limit is called again when that is over', async () => {
    agent.providers.chat.enqueue(failWith(429, { retryAfterSeconds: 0.5 }), answer(whole));
    const { asked } = await outcomeOf(agent);
    const [first, second] = agent.providers.chat.requests;
    expect(asked).toEqual(['first', 'first']);
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(500);
  });
});

describe('a long rate limit', () => {
  it('a long rate limit leads to the next model at once', async () => {
    agent.providers.chat.enqueue(failWith(429, { retryAfterSeconds: 30 }), answer(whole));
    expect((await outcomeOf(agent)).asked).toEqual(['first', 'second']);
  });

  it('a long rate limit of the only model is waited for if the deadline allows it', async () => {
    alone.providers.chat.enqueue(failWith(429, { retryAfterSeconds: 2.5 }), answer(whole));
    const { response } = await outcomeOf(alone);
    const [first, second] = alone.providers.chat.requests;
    expect(response.answer).toBe(whole);
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(2500);
  });

  it('a rate limit that ends after the deadline is not waited for', async () => {
    alone.providers.chat.enqueue(failWith(429, { retryAfterSeconds: 60 }));
    const { outcome } = await alone.ended(await alone.ask({}, 20_000));
    expect(responseOf(outcome).metadata).toMatchObject({
      mode: 'retrieval_only',
      degraded_reason: 'model_rate_limited',
    });
  });
});

it('an answer that the provider truncated is kept and marked', async () => {
  agent.providers.chat.enqueue(answer('Nodes talk [1] and', { finishReason: 'length' }));
  const { response, shown } = await outcomeOf(agent);
  expect(response).toMatchObject({
    answer: 'Nodes talk [1] and',
    metadata: { mode: 'full', degraded_reason: 'answer_truncated' },
  });
  expect(shown).toBe(response.answer);
});

it.each(['eos_token', 'end_turn', null])(
  'an answer with the finish reason %s is kept',
  async (finishReason) => {
    agent.providers.chat.enqueue(answer(whole, { finishReason }));
    const { response, shown, asked } = await outcomeOf(agent);
    expect(response).toMatchObject({ answer: whole, metadata: { mode: 'full' } });
    expect(response.metadata).not.toHaveProperty('degraded_reason');
    expect({ shown, asked }).toEqual({ shown: whole, asked: ['first'] });
  },
);

it.each<[title: string, text: string, options: Parameters<typeof answer>[1]]>([
  ['in a block before the answer', `<think>Topics [7]?</think>\n\n${whole}`, { tokenMs: 1 }],
  ['in a field of its own', whole, { reasoning: ['Topics ', '[7]?'] }],
  ['beside an answer in content parts', whole, { reasoning: ['Topics [7]?'], asParts: true }],
])('reasoning %s is not shown', async (_title, text, options) => {
  agent.providers.chat.enqueue(answer(text, options));
  const { response, shown, asked, resets } = await outcomeOf(agent);
  expect(response).toMatchObject({ answer: whole, metadata: { mode: 'full' } });
  expect({ shown, asked, resets }).toEqual({ shown: whole, asked: ['first'], resets: 0 });
});

it('an answer keeps think tags that it quotes', async () => {
  const text = 'Models write `<think>…</think>` first [1].';
  agent.providers.chat.enqueue(answer(text));
  const { response, shown } = await outcomeOf(agent);
  expect([response.answer, shown]).toEqual([text, text]);
});

it('the tokens of an answer are estimated if the provider reports no usage', async () => {
  agent.providers.chat.enqueue(answer(whole, { omitUsage: true }));
  const { response } = await outcomeOf(agent);
  expect(response.metadata).toMatchObject({ mode: 'full', tokens_estimated: true });
  expect(response.metadata.tokens_used.prompt).toBeGreaterThan(100);
  expect(response.metadata.tokens_used.completion).toBe(4);
});

it('without an API key every answer consists of its sources', async () => {
  const keyless = await startAgent({ apiKey: undefined });
  try {
    const { outcome } = await keyless.ended(await keyless.ask());
    expect(outcome).toMatchObject({
      type: 'completed',
      data: { answer: null, metadata: { mode: 'retrieval_only', degraded_reason: 'model_not_configured' } },
    });
    expect(keyless.providers.chat.requests).toHaveLength(0);
  } finally {
    await keyless.close();
  }
});

it('a model whose address refuses connections leaves an answer of sources alone', async () => {
  await alone.providers.close();
  const { outcome } = await alone.ended(await alone.ask());
  expect(responseOf(outcome).metadata).toMatchObject({
    mode: 'retrieval_only',
    degraded_reason: 'model_unavailable',
  });
});

import type { ChatResponse, RunEvent } from '@quire/shared/contracts';
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

const whole = 'Nodes talk [1].';
const failures: [title: string, behaviour: ChatBehaviour, emitted: boolean][] = [
  ['refuses connections', refuse(), false],
  ['answers 500', failWith(500), false],
  ['answers 503', failWith(503), false],
  ['answers 429', failWith(429, { retryAfterSeconds: 1 }), false],
  ['answers 401', failWith(401), false],
  ['answers 404', failWith(404), false],
  ['cuts the connection before the first token', cutAfter(0, 'Nodes talk a lot [1].'), false],
  ['cuts the connection in the middle', cutAfter(3, 'Nodes talk a lot [1].'), true],
  ['stalls before the first token', stallAfter(0, 'Nodes talk a lot [1].'), false],
  ['stalls in the middle', stallAfter(3, 'Nodes talk a lot [1].'), true],
  ['sends garbage', malformedAfter(3, 'Nodes talk a lot [1].'), true],
  ['gives an empty answer', answer(''), false],
];

let agent: AgentUnderTest;
beforeAll(async () => {
  agent = await startAgent({ firstTokenMs: 400, idleMs: 400 });
});
afterEach(() => agent.providers.reset());
afterAll(() => agent.close());

const ended = async (runId: string) => {
  const run = await agent.ended(runId);
  return { events: run.events, response: (run.outcome as { data: ChatResponse }).data };
};

/** The text as a client holds it that starts anew at each reset. */
const shownText = (events: readonly RunEvent[]): string =>
  events.reduce((shown, event) => {
    if (event.type === 'reset') return '';
    return event.type === 'delta' ? shown + event.data.text : shown;
  }, '');

describe.each(failures)('a model that %s', (_title, behaviour, emitted) => {
  it('is replaced by the next of the chain; shown text is voided by a reset', async () => {
    agent.providers.chat.enqueue(behaviour, answer(whole));
    const { events, response } = await ended(await agent.ask());
    expect(response).toMatchObject({ answer: whole, metadata: { mode: 'full', model: 'second' } });
    expect(shownText(events)).toBe(whole);
    expect(events.filter((event) => event.type === 'reset')).toHaveLength(emitted ? 1 : 0);
  });

  it('leaves an answer of sources alone when there is no other', async () => {
    agent.providers.chat.enqueue(behaviour, behaviour);
    const { events, response } = await ended(await agent.ask());
    expect(response).toMatchObject({
      answer: null,
      fallback_message: 'AI summarization unavailable',
      metadata: { mode: 'retrieval_only', degraded_reason: 'model_unavailable', model: null },
    });
    expect(response.sources.map((source) => source.marker)).toEqual([1, 2, 3]);
    expect(shownText(events)).toBe('');
  });
});

it('without a key answers with sources alone and asks no model', async () => {
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

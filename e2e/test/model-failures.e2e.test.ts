import {
  answer,
  cutAfter,
  failWith,
  malformedAfter,
  refuse,
  stallAfter,
  type ChatBehaviour,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

const WHOLE = 'Nodes publish on topics [1].';
const long = `${'Nodes publish on topics [1]. '.repeat(20)}End.`;
const failures: [title: string, behaviour: ChatBehaviour][] = [
  ['refuses connections', refuse()],
  ['answers 500', failWith(500)],
  ['answers 503', failWith(503)],
  ['answers 429', failWith(429, { retryAfterSeconds: 0.2 })],
  ['answers 401', failWith(401)],
  ['answers 404 for its name', failWith(404)],
  ['refuses the request', failWith(400, { code: 'context_length_exceeded' })],
  ['is cut before the first token', cutAfter(0, long)],
  ['is cut after one token', cutAfter(1, long)],
  ['is cut after 50 tokens', cutAfter(50, long)],
  ['stalls before the first token', stallAfter(0, long)],
  ['stalls after the first token', stallAfter(1, long)],
  ['sends garbage', malformedAfter(3, long)],
];

let providers: ScriptedProviders;
let quire: AnsweringQuire;
beforeAll(async () => {
  quire = await startAnsweringQuire({
    GEMINI_FIRST_TOKEN_TIMEOUT_MS: '1500',
    GEMINI_IDLE_TIMEOUT_MS: '1500',
  });
  ({ providers } = quire);
});
afterEach(() => quire.startAfresh());
afterAll(() => quire.close());

async function streamed() {
  const { shown, response } = await quire.streamOf({
    message: 'How do ROS 2 nodes exchange messages on topics?',
  });
  return { shown, outcome: response };
}

async function expectSourcesAlone() {
  const { shown, outcome } = await streamed();
  expect(outcome).toMatchObject({ answer: null, metadata: { mode: 'retrieval_only', model: null } });
  expect(outcome.sources.length).toBeGreaterThan(0);
  expect(shown).toBe('');
}

describe.each(failures)('a model %s', (failure, behaviour) => {
  it(`a stream ends with the answer of the next model when one ${failure}`, async () => {
    providers.chat.byDefault(({ model }) => (model === 'first' ? behaviour : answer(WHOLE)));
    const { shown, outcome } = await streamed();
    expect(outcome).toMatchObject({ answer: WHOLE, metadata: { mode: 'full', model: 'second' } });
    expect(shown).toBe(WHOLE);
  });

  it(`a stream ends with the sources when each model ${failure}`, async () => {
    providers.chat.byDefault(behaviour);
    await expectSourcesAlone();
  });

  it(`a stream ends with the sources when a model ${failure} and the other's circuit breaker is open`, async () => {
    providers.chat.enqueue(failWith(401), answer(WHOLE), failWith(401), answer(WHOLE));
    for (let run = 0; run < 2; run += 1) await streamed();
    providers.reset();
    providers.chat.byDefault(behaviour);
    await expectSourcesAlone();
    expect(new Set(providers.chat.requests.map(({ body }) => body.model))).toEqual(new Set(['second']));
  });
});

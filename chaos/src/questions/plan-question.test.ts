import { seededRandom } from '@quire/testkit/random';
import { expect, it } from 'vitest';
import { planQuestion } from './plan-question.js';
import { answerLength } from './scripted-answer.js';

const QUESTIONS = 400;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const planned = (seed: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: QUESTIONS }, () => planQuestion(random));
};

it('a seed gives the same questions with the same answers, another seed others', () => {
  expect(planned(1)).toEqual(planned(1));
  expect(planned(1)).not.toEqual(planned(2));
});

it('no two questions share a token, a session or a key, not even those of neighbouring seeds', () => {
  const all = [...planned(1), ...planned(2), ...planned(3)];
  for (const part of ['token', 'sessionId', 'idempotencyKey'] as const) {
    expect(new Set(all.map((question) => question[part])).size).toBe(all.length);
  }
  for (const { sessionId } of all) expect(sessionId).toMatch(UUID_V4);
});

it('about one answer in eight takes longer than the lock of its job', () => {
  const long = planned(1).filter(({ token }) => answerLength(token) > 120);
  expect(long.length).toBeGreaterThan(QUESTIONS / 16);
  expect(long.length).toBeLessThan(QUESTIONS / 4);
});

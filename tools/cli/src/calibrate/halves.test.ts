import { expect, it } from 'vitest';
import type { GoldenQuestion, QuestionType } from '../golden/golden-question.js';
import { requireEnough, splitInHalves } from './halves.js';

const questions = (type: QuestionType, count: number): GoldenQuestion[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${type}-${i}`,
    type,
    question: '?',
    expected: [],
    needs: 'any',
  }));

it('every second question of each type goes into each half, however the types are mixed', () => {
  const [l0, l1, l2] = questions('lexical', 3);
  const [o0, o1] = questions('out_of_scope', 2);
  const { fit, judge } = splitInHalves([l0, o0, o1, l1, l2].filter((question) => question !== undefined));
  expect(fit.map(({ id }) => id)).toEqual(['lexical-0', 'lexical-2', 'out_of_scope-0']);
  expect(judge.map(({ id }) => id)).toEqual(['lexical-1', 'out_of_scope-1']);
});

const check = (inScope: number, outOfScope: number) => () =>
  requireEnough(splitInHalves([...questions('lexical', inScope), ...questions('out_of_scope', outOfScope)]));

it('20 questions of each kind are enough, since each half needs ten', () => {
  expect(check(20, 20)).not.toThrow();
});

it.each([
  [19, 20, 'the first has 10 and 10, the second 9 and 10'],
  [20, 19, 'the first has 10 and 10, the second 10 and 9'],
  [100, 0, 'the first has 50 and 0, the second 50 and 0'],
])('%i questions in scope and %i out of scope are too few', (inScope, outOfScope, words) => {
  expect(check(inScope, outOfScope)).toThrow(words);
});

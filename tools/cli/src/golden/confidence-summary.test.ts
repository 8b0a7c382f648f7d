import { expect, it } from 'vitest';
import { confidenceText, summariseConfidence } from './confidence-summary.js';

it('levels are counted and shares taken for in-scope and out-of-scope questions apart', () => {
  const summary = summariseConfidence([
    { type: 'lexical', level: 'high' },
    { type: 'paraphrased', level: 'medium' },
    { type: 'multi_section', level: 'low' },
    { type: 'lexical', level: 'insufficient' },
    { type: 'out_of_scope', level: 'insufficient' },
    { type: 'out_of_scope', level: 'low' },
    { type: 'out_of_scope', level: 'medium' },
  ]);
  expect(summary).toEqual({
    in_scope: {
      questions: 4,
      should_answer: 3 / 4,
      insufficient_or_low: 2 / 4,
      levels: { high: 1, medium: 1, low: 1, insufficient: 1 },
    },
    out_of_scope: {
      questions: 3,
      should_answer: 2 / 3,
      insufficient_or_low: 2 / 3,
      levels: { high: 0, medium: 1, low: 1, insufficient: 1 },
    },
  });
  expect(confidenceText(summary)).toContain('in scope, should be answered: 75.0 % of 4\n');
  expect(confidenceText(summary)).toContain('out of scope, insufficient or low: 66.7 % of 3\n');
});

it('a share of no questions is null', () => {
  const { out_of_scope: outside } = summariseConfidence([{ type: 'lexical', level: 'high' }]);
  expect(outside).toMatchObject({ questions: 0, should_answer: null, insufficient_or_low: null });
});

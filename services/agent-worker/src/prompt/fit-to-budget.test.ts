import { describe, expect, test } from 'vitest';
import { chunkNumbered } from '../../test/found-passages.js';
import { estimateTokens } from '../accounting/estimate-tokens.js';
import { fitHistory, fitPassages } from './fit-to-budget.js';
import { passageText } from './fence.js';

/** About 300 tokens with its frame. */
const passage = (number: number) => ({ ...chunkNumbered(number), text: 'word '.repeat(192) });

describe('passages', () => {
  test.each([
    [10_000, [1, 2, 3]],
    [900, [1, 2, 3]],
    [899, [1, 2]],
    [300, [1]],
    [100, []],
  ])('of %i tokens keep the strongest: %j', (budget, numbers) => {
    const { chunks, tokens } = fitPassages([1, 2, 3].map(passage), budget);
    expect(chunks.map(({ chunk_id: id }) => id)).toEqual(numbers.map((number) => `chunk-${number}`));
    expect(tokens).toBeLessThanOrEqual(budget);
  });

  test('where not even one fits, the strongest is cut, its surroundings first', () => {
    const long = { ...passage(1), text: 'é'.repeat(8000), before: 'before', after: 'after' };
    const { chunks } = fitPassages([long, passage(2)], 500);
    expect(chunks).toHaveLength(1);
    const text = chunks[0] ? passageText(chunks[0]) : '';
    expect(text).toMatch(/^é+$/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(500);
  });

  test('a cut never splits a character', () => {
    const { chunks } = fitPassages([{ ...passage(1), text: '😀'.repeat(3000) }], 501);
    expect(chunks[0]?.text.isWellFormed()).toBe(true);
  });
});

describe('history', () => {
  const exchange = (n: number) => ({ question: `q${n} `.repeat(20), answer: `a${n} `.repeat(20) });
  const history = [1, 2, 3].map(exchange);

  test.each([
    [1000, [1, 2, 3]],
    [70, [2, 3]],
    [30, [3]],
    [10, []],
  ])('of %i tokens keeps the newest, in order: %j', (budget, kept) => {
    expect(fitHistory(history, budget)).toEqual(kept.map(exchange));
  });
});

import { describe, expect, it } from 'vitest';
import { chunkNumbered } from '../../test/found-passages.js';
import { estimateTokens } from '../accounting/estimate-tokens.js';
import { fitHistory, fitPassages } from './fit-to-budget.js';
import { passageText } from './fence.js';

/** About 300 tokens with its frame. */
const passage = (number: number) => ({ ...chunkNumbered(number), text: 'word '.repeat(192) });

describe('fitPassages', () => {
  it.each([
    [10_000, [1, 2, 3]],
    [900, [1, 2, 3]],
    [899, [1, 2]],
    [300, [1]],
    [100, []],
  ])('a budget of %i tokens keeps the strongest passages: %j', (budget, numbers) => {
    const { chunks, tokens } = fitPassages([1, 2, 3].map(passage), budget);
    expect(chunks.map(({ chunk_id: id }) => id)).toEqual(numbers.map((number) => `chunk-${number}`));
    expect(tokens).toBeLessThanOrEqual(budget);
  });

  it('if no passage fits, the strongest loses the text around it and is cut', () => {
    const long = { ...passage(1), text: 'é'.repeat(8000), before: 'before', after: 'after' };
    const { chunks } = fitPassages([long, passage(2)], 500);
    expect(chunks).toHaveLength(1);
    const text = chunks[0] ? passageText(chunks[0]) : '';
    expect(text).toMatch(/^é+$/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(500);
  });

  it('a passage is never cut within a character', () => {
    const { chunks } = fitPassages([{ ...passage(1), text: '😀'.repeat(3000) }], 501);
    expect(chunks[0]?.text.isWellFormed()).toBe(true);
  });
});

describe('fitHistory', () => {
  const exchange = (n: number) => ({ question: `q${n} `.repeat(20), answer: `a${n} `.repeat(20) });
  const history = [1, 2, 3].map(exchange);

  it.each([
    [1000, [1, 2, 3]],
    [70, [2, 3]],
    [30, [3]],
    [10, []],
  ])('a budget of %i tokens keeps the newest exchanges in order: %j', (budget, kept) => {
    expect(fitHistory(history, budget)).toEqual(kept.map(exchange));
  });
});

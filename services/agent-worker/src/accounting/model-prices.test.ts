import { expect, it } from 'vitest';
import { estimateTokens } from './estimate-tokens.js';
import { costOf, modelPricesSchema } from './model-prices.js';

const prices = modelPricesSchema.parse({ flash: { input: 0.3, output: 2.5 } });

it('costOf() multiplies tokens by the price per million tokens', () => {
  expect(costOf('flash', { prompt: 1_000_000, completion: 100_000, total: 1_100_000 }, prices)).toBe(0.55);
  expect(costOf('flash', { prompt: 7, completion: 1, total: 8 }, prices)).toBe(0.0000046);
  expect(costOf('other', { prompt: 7, completion: 1, total: 8 }, prices)).toBeUndefined();
});

it.each([[{ flash: { input: -1, output: 1 } }], [{ flash: { input: 1 } }], [{ flash: 1 }], [[]]])(
  'modelPricesSchema rejects %j',
  (table) => {
    expect(modelPricesSchema.safeParse(table).success).toBe(false);
  },
);

it.each([
  ['', 0],
  ['four', 1],
  ['five5', 2],
  ['日本語', 3],
  ['abcd日本', 3],
])('estimateTokens(%j) returns %i', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

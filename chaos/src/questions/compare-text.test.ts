import { expect, it } from 'vitest';
import { compareText } from './compare-text.js';
import { scriptedAnswer, tokenIn, tokenOf } from './scripted-answer.js';

const token = tokenOf('0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f0');
const other = tokenOf('1f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f0');
const expected = scriptedAnswer(token);
const words = expected.split(' ');

it.each([
  ['most answers have', token, 60, 120],
  ['one in eight has', tokenOf('00000010-4b5a-4978-8695-a4b3c2d1e0f0'), 540, 620],
])('%s unique words, the same each time, and cites (%s, %i to %i)', (_title, asked, least, most) => {
  const text = scriptedAnswer(asked);
  const own = text.split(' ').filter((word) => word.startsWith(asked));
  expect(own.length).toBeGreaterThanOrEqual(least);
  expect(own.length).toBeLessThanOrEqual(most);
  expect(new Set(own).size).toBe(own.length);
  expect(text).toBe(scriptedAnswer(asked));
  expect(text).toMatch(/ \[1\]$/);
});

it('a token is found in the prompt that quotes its question', () => {
  expect(tokenIn(`<question>\nHow do nodes talk about ${token}?\n</question>`)).toBe(token);
  expect(tokenIn('How do nodes talk?')).toBeUndefined();
});

it('the right text has no problem', () => {
  expect(compareText(expected, expected)).toBeUndefined();
});

it.each([
  ['a word twice', 'repeated', [...words.slice(0, 5), words[4], ...words.slice(5)]],
  ['the whole text twice', 'repeated', [...words, ...words]],
  ['a word missing', 'lost', [...words.slice(0, 5), ...words.slice(6)]],
  ['the end missing', 'lost', words.slice(0, -10)],
  ['nothing at all', 'lost', []],
  ['two words exchanged', 'lost', [words[1], words[0], ...words.slice(2)]],
  ['a citation missing', 'lost', words.slice(0, -1)],
  ['a word of another answer', 'foreign', [...words, `${other}-1`]],
])('%s is reported as %s', (_title, kind, wrong) => {
  expect(compareText(wrong.join(' '), expected)?.kind).toBe(kind);
});

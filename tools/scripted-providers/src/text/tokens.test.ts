import { expect, it } from 'vitest';
import { wordTokens } from './tokens.js';

it.each([
  ['', []],
  ['   ', ['   ']],
  ['one', ['one']],
  ['one two', ['one', ' two']],
  ['  led by\n\nspace, and trailing \n', ['  led', ' by', '\n\nspace,', ' and', ' trailing', ' \n']],
  ['émigré 📚 [1].', ['émigré', ' 📚', ' [1].']],
])('the text %j is split into words whose concatenation is the text', (text, tokens) => {
  expect(wordTokens(text)).toEqual(tokens);
  expect(wordTokens(text).join('')).toBe(text);
});

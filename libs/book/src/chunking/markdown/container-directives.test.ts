import { expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.js';
import {
  directivesNestTooDeeply,
  hasDirectiveTitle,
  withoutDirectiveTitles,
} from './container-directives.js';

it.each([
  [':::note Mind the gap', ':::note             '],
  ['> :::tip Quoted', '> :::tip       '],
  ['- ::::tip Listed', '- ::::tip       '],
  [':::note A 🤖\r\ntext', ':::note     \r\ntext'],
  [':::note', ':::note'],
  [':::note[Label]', ':::note[Label]'],
  ['a :::note Not at the start', 'a :::note Not at the start'],
  ['::note Two colons', '::note Two colons'],
])('the title of the directive %j is blanked without moving offsets', (source, blanked) => {
  expect(withoutDirectiveTitles(source)).toBe(blanked);
});

it.each(['::leaf[label]', 'a :text[label] b'])('the text %s is prose, not a directive', (text) => {
  expect(parseMarkdown(text, 'markdown', 'plain').children.map(({ type }) => type)).toEqual(['paragraph']);
});

it('a directive title is recognized at the start of a directive alone', () => {
  expect(hasDirectiveTitle('x\n:::note Title\n:::', 2)).toBe(true);
  expect(hasDirectiveTitle(':::note  \n Text', 0)).toBe(false);
});

it.each([
  ['closed ones in a row', ':::note\na\n:::\n'.repeat(5000), false],
  ['fifty levels', ':::note\n'.repeat(50), false],
  ['hundreds of levels', ':::note\n'.repeat(300), true],
  ['an outer fence closed by more colons', '::::note\n:::tip\na\n::::\n'.repeat(200), false],
  ['ten levels around half a megabyte', ':::note\n'.repeat(10) + 'word '.repeat(100_000), true],
])('nested directives are limited: %s', (_, source, tooDeep) => {
  expect(directivesNestTooDeeply(source)).toBe(tooDeep);
});

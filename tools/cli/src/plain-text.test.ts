import { expect, it } from 'vitest';
import { plainJson, plainLine, plainText } from './plain-text.js';

const everyControl = String.fromCharCode(
  ...Array.from({ length: 160 }, (_, code) => code).filter((code) => code < 32 || code > 126),
);

it.each([
  ['a colour', 'a\u001B[31mred\u001B[0m', 'a[31mred[0m'],
  ['a title change', '\u001B]0;owned\u0007x', ']0;ownedx'],
  ['an 8-bit sequence', 'a\u009B2Jb', 'a2Jb'],
  ['a carriage return that would draw over', 'safe\rrm -rf', 'saferm -rf'],
  ['a change of direction', 'abc\u202Etxt.exe', 'abctxt.exe'],
  ['what is meant: lines, tabs, other scripts', 'ä\n\t古 \u{1F916}', 'ä\n\t古 \u{1F916}'],
])('text from the server is shown without the control characters of %s', (_, text, shown) => {
  expect(plainText(text)).toBe(shown);
});

it('text from the server is shown without control characters except line feed and tab', () => {
  expect(plainText(everyControl)).toBe('\t\n');
});

it('text from the server that is shown on one line has no line breaks', () => {
  expect(plainLine(' A\r\n  title\u0007 ')).toBe('A title');
});

it('JSON from the server is printed as the same value without a raw control character', () => {
  const value = { answer: `${everyControl}\u202E` };
  const json = plainJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(plainText(json)).toBe(json);
});

import { describe, expect, test } from 'vitest';
import { plainJson, plainLine, plainText } from './plain-text.js';

const everyControl = String.fromCharCode(
  ...Array.from({ length: 160 }, (_, code) => code).filter((code) => code < 32 || code > 126),
);

describe('text from the server', () => {
  test.each([
    ['a colour', 'a\u001B[31mred\u001B[0m', 'a[31mred[0m'],
    ['a title change', '\u001B]0;owned\u0007x', ']0;ownedx'],
    ['an 8-bit sequence', 'a\u009B2Jb', 'a2Jb'],
    ['a carriage return that would draw over', 'safe\rrm -rf', 'saferm -rf'],
    ['a change of direction', 'abc\u202Etxt.exe', 'abctxt.exe'],
    ['what is meant: lines, tabs, other scripts', 'ä\n\t古 \u{1F916}', 'ä\n\t古 \u{1F916}'],
  ])('keeps nothing of %s that a terminal would obey', (_, text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  test('loses every control character but line feed and tab', () => {
    expect(plainText(everyControl)).toBe('\t\n');
  });

  test('on a line has no line breaks', () => {
    expect(plainLine(' A\r\n  title\u0007 ')).toBe('A title');
  });

  test('as JSON is the same value without a raw control character', () => {
    const value = { answer: `${everyControl}\u202E` };
    const json = plainJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(plainText(json)).toBe(json);
  });
});

import { describe, expect, it } from 'vitest';
import { CitationChecker } from './citation-checker.js';

function check(text: string, passages = 3, cut: (rest: string) => number = () => 1) {
  const checker = new CitationChecker(passages);
  let out = '';
  for (let rest = text; rest.length > 0;) {
    const length = cut(rest);
    out += checker.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return { out: out + checker.end(), cited: checker.cited };
}

const cases: [text: string, out: string, cited: number[]][] = [
  ['Plain text.', 'Plain text.', []],
  ['One [1].', 'One [1].', [1]],
  ['Third first [3], then [1].', 'Third first [1], then [2].', [3, 1]],
  ['Lists [1, 3] and [2,9].', 'Lists [1][2] and [3].', [1, 3, 2]],
  ['Side by side [1][2].', 'Side by side [1][2].', [1, 2]],
  ['Invented [4] and [0].', 'Invented and.', []],
  ['Twice [2] the same [2].', 'Twice [1] the same [1].', [2]],
  ['Code `a[7]` stays, [2] does not.', 'Code `a[7]` stays, [1] does not.', [2]],
  ['```py\nx[9] = y[1]\n```\nThen [1].', '```py\nx[9] = y[1]\n```\nThen [1].', [1]],
  ['Unclosed ` tick [9]\nand [1].', 'Unclosed ` tick\nand [1].', [1]],
  ['Double ``a`[9]`` tick [1].', 'Double ``a`[9]`` tick [1].', [1]],
  ['A [link](x), a [ bracket, a [1', 'A [link](x), a [ bracket, a [1', []],
  ['```\nopen fence [9]', '```\nopen fence [9]', []],
];

describe('the citation checker', () => {
  it.each(cases)('turns %j into %j', (text, out, cited) => {
    expect(check(text)).toEqual({ out, cited });
  });

  it('gives the same output however the text is cut', () => {
    for (const [text] of cases) {
      const whole = check(text, 3, (rest) => rest.length);
      for (let round = 0; round < 200; round += 1) {
        expect(check(text, 3, () => 1 + Math.floor(Math.random() * 6))).toEqual(whole);
      }
    }
  });

  it('does not hold back plain text', () => {
    const checker = new CitationChecker(1);
    expect(checker.push('Nodes')).toBe('Nodes');
    expect(checker.push(' talk')).toBe(' talk');
    expect(checker.push(' [')).toBe('');
    expect(checker.push('1].')).toBe(' [1].');
  });
});

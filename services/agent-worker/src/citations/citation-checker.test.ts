import { describe, expect, it } from 'vitest';
import { inPieces } from '../../test/in-pieces.js';
import { CitationChecker } from './citation-checker.js';

const upTo = (passages: number) => new CitationChecker((number) => number >= 1 && number <= passages);

function check(text: string, lengths: readonly number[] = [1]) {
  const checker = upTo(3);
  return { out: inPieces(checker, text, lengths), cited: checker.cited };
}

type Case = [text: string, out: string, cited: number[]];

const rules: Record<string, Case[]> = {
  'renumbers markers in order of first use and drops those that name no passage': [
    ['Plain text.', 'Plain text.', []],
    ['One [1].', 'One [1].', [1]],
    ['Third first [3], then [1].', 'Third first [1], then [2].', [3, 1]],
    ['Lists [1, 3] and [2,9].', 'Lists [1][2] and [3].', [1, 3, 2]],
    ['Side by side [1][2].', 'Side by side [1][2].', [1, 2]],
    ['Invented [4] and [0].', 'Invented and.', []],
    ['Twice [2] the same [2].', 'Twice [1] the same [1].', [2]],
    ['In the year [2024].', 'In the year.', []],
  ],
  'recognizes every form of marker': [
    ['A [1; 3], B [1 and 3].', 'A [1][2], B [1][2].', [1, 3]],
    ['A [1, 2, and 3], B [3 & 1].', 'A [1][2][3], B [3][1].', [1, 2, 3]],
    ['A [1-3].', 'A [1][2][3].', [1, 2, 3]],
    ['A [2–9] [3, 1–2].', 'A [1][2] [2][3][1].', [2, 3, 1]],
    ['A [2-99999999999].', 'A [1][2].', [2, 3]],
    ['A [3, 3].', 'A [1].', [3]],
    ['A [[2]], B [[1], [2]].', 'A [1], B [2][1].', [2, 1]],
    ['A 【2】, B 【1†source】, C 【3:0†L1-L4】.', 'A [1], B [2], C [3].', [2, 1, 3]],
    ['A [^2], B [^9].', 'A [1], B.', [2]],
    ['A [Source 2], B [Source: 1, 2], C [source: 3].', 'A [1], B [2][1], C [3].', [2, 1, 3]],
    ['A [Passage 2], B [passages 1 and 2].', 'A [1], B [2][1].', [2, 1]],
    ['A [Source 2: The title], B [Source 1, Source 3].', 'A [1], B [2][3].', [2, 1, 3]],
    ['A [Source: [3]].', 'A [1].', [3]],
    ['[cite_start]A is so [cite: 2]. [cite_start]**B** too.', 'A is so [1]. **B** too.', [2]],
    ['A \\[2\\], B \\[9\\].', 'A [1], B.', [2]],
  ],
  'recognizes markers with invisible characters, or brackets or digits of other scripts': [
    ['A [\u200B1], B [1\u2060\uFEFF], C [\u00AD9].', 'A [1], B [1], C.', [1]],
    ['A ［２］, B 〔3〕, C ［９９］.', 'A [1], B [2], C.', [2, 3]],
    ['A [&nbsp;9], B [&#8203;9&zwnj;], C [&sup2;], D [&Tab;1].', 'A, B, C [1], D [2].', [2, 1]],
    ['A &#91;9], B [9&rsqb;, C &lpar;ref 9), D &lbrack;1&#x5D;, E [&#10;&#57;].', 'A, B, C, D [1], E.', [1]],
    ['A [9\u0332], B [9\uFE0F\u20E3], C [e\u0301].', 'A, B, C [e\u0301].', []],
    [
      'Left: R&D, &copy; a&nbsp;b &#91;x] \\&#91;9] & c.',
      'Left: R&D, &copy; a&nbsp;b &#91;x] \\&#91;9] & c.',
      [],
    ],
    ['A &[9]#91;9], &#91;Sour[9]ce: 1].', 'A & #91;9], &#91;Sour⋯ce: 1].', []],
    ['A [①], B [٣], C [९९].', 'A [1], B [2], C.', [1, 3]],
    ['Left: ［see below］ and 〔a〕.', 'Left: ［see below］ and 〔a〕.', []],
    ['A ❲9❳, B ⟦9⟧, C ﹝9﹞, D ⁅1⁆.', 'A, B, C, D [1].', [1]],
    ['A [**2**], B [*9*], C [_9_], D [~9~], E [~~1~~].', 'A [1], B, C, D, E [2].', [2, 1]],
    ['A [**1**, *9*], B [**7**-**9**].', 'A [1], B.', [1]],
    ['A [**Source 2**], B [**Source:** 9], C (*ref* 9).', 'A [1], B, C.', [2]],
    ['A **[9**]. B [**9]**.', 'A **. B**.', []],
    ['Left: [2*3], [~5], [**bold** text], [*see*].', 'Left: [2*3], [~5], [**bold** text], [*see*].', []],
  ],
  'recognizes ranges in every notation': [
    ['A [1..3], B [2...3], C [2…3].', 'A [1][2][3], B [2][3], C [2][3].', [1, 2, 3]],
    ['A [1 to 2], B [1‑2], C [7..9].', 'A [1][2], B [1][2], C.', [1, 2]],
  ],
  'recognizes a number in round brackets as a marker only if a word says so': [
    [
      'A [ref 2], B [Ref. 3], C [refs 2, 99], D [ref 99], (ref9), [Source9].',
      'A [1], B [2], C [1], D,,.',
      [2, 3],
    ],
    ['A (source 2), B (ref. 3), C (Sources: 2 and 3), D (ref 99).', 'A [1], B [2], C [1][2], D.', [2, 3]],
    ['A (2), B (99). f(2) in (2024): (1) and (99).', 'A (2), B (99). f(2) in (2024): (1) and (99).', []],
    [
      'A (see 2), (references 10 others), (source), (pp. 2), (refcite 9).',
      'A (see 2), (references 10 others), (source), (pp. 2), (refcite 9).',
      [],
    ],
  ],
  'leaves indexes, intervals and formulas unchanged': [
    ['As x[1], arr[2][3] and y2[9] say.', 'As x[1], arr[2][3] and y2[9] say.', []],
    [
      'But topics[1] and ROS2[2] and Bob’s[3] are cited.',
      'But topics[1] and ROS2[2] and Bob’s[3] are cited.',
      [1, 2, 3],
    ],
    ['The interval is $[1, 2]$', 'The interval is $[1, 2]$', []],
    ['Dropped: topics[9], x【9】, x[\u200B9].', 'Dropped: topics, x, x.', []],
    ['An index may be escaped: x\\[1].', 'An index may be escaped: x\\[1].', []],
    ['No formula: $$[9]$ and $$[1]$.', 'No formula: $$$ and $$[1]$.', [1]],
    ['In [0, 1], [0-9] and [0, 2, 9], not [0].', 'In [0, 1], [0-9] and [0, 2, 9], not.', []],
    [
      'For [x, 3] and v = [1, 2], t ∈ [1, 9]: [1, 2].',
      'For [x, 3] and v = [1, 2], t ∈ [1, 9]: [1][2].',
      [1, 2],
    ],
    [
      'As $a[3] + [1, 2]$ and $$v[9]$$, for $5 [1] or $6 [2].',
      'As $a[3] + [1, 2]$ and $$v[9]$$, for $5 [1] or $6 [2].',
      [1, 2],
    ],
  ],
  'separates a citation from a small letter before it, which would make it an index': [
    ['A x[[1]], y[Source: 2], z[Source: 9][3].', 'A x [1], y [2], z [3].', [1, 2, 3]],
  ],
  'drops a marker of words': [
    ['A [Source: some words].', 'A.', []],
    ['A [Sources: chapter 1, the end], B [Source: 2024-05-01].', 'A, B.', []],
    ['A [Source: x [y] z].', 'A.', []],
  ],
  'drops the link target of a marker': [
    ['A [1](https://made.up).', 'A [1].', [1]],
    ['A [1](https://made.up/a_(b) "Title")!', 'A [1]!', [1]],
    ['A [9](https://made.up) and [Source: x](https://made.up).', 'A and.', []],
    ['A [1](not a target).', 'A [1] (not a target).', [1]],
    ['A [1][9](not a target).', 'A [1] (not a target).', [1]],
    ['A [1](https://cut', 'A [1] (https://cut', [1]],
    ['A [1](ref 9), B [9](source 9), C [1](ref 2).', 'A [1], B, C [1][2].', [1, 2]],
    ['[1]: https://made.up', '[1] : https://made.up', [1]],
    ['As in [1]: so.', 'As in [1]: so.', [1]],
  ],
  'leaves ordinary brackets unchanged': [
    ['A [see below], [text](url), [Sourcebook](x).', 'A [see below], [text](url), [Sourcebook](x).', []],
    ['- [ ] open\n- [x] done', '- [ ] open\n- [x] done', []],
    ['A [Source](x), [source code: x], [1.2], [a1].', 'A [Source](x), [source code: x], [1.2], [a1].', []],
    ['On [2024-05-01] in 【重要】 [-1] [].', 'On [2024-05-01] in 【重要】 [-1] [].', []],
    ['A [link](x), a [ bracket, a [1', 'A [link](x), a [ bracket, a [1', []],
    ['A [1\n] line', 'A [1\n] line', []],
  ],
  'drops the blanks before a dropped marker unless they separate words': [
    ['A  [9] B\t[1].', 'A B\t[1].', [1]],
    ['A [9]B, C [9][1].', 'A B, C [1].', [1]],
    ['**A [9]** and `b` [9].', '**A** and `b`.', []],
    ['- [9] A\n- [9]B', '- A\n- B', []],
  ],
  'keeps the texts around a dropped marker from forming new markup': [
    ['A [[[9]]1].', 'A [⋯1].', []],
    ['A [1 [[9]]].', 'A [1⋯].', []],
    ['A [Sour[9]ce: 1].', 'A [Sour⋯ce: 1].', []],
    ['A (Ref 9【9】 9), B (Sour[9]ce 9), C ([9]).', 'A (Ref 9⋯ 9), B (Sour⋯ce 9), C ().', []],
    ['A [see [9] below].', 'A [see below].', []],
    ['`a`[9]`b` ``[9]` [1]', '`a` `b` \\`\\`\\` [1]', [1]],
    ['~~[9]~ [1]', '~~ ~ [1]', [1]],
    ['[9]```\na[9]\n```\n[1]', '```\na[9]\n```\n[1]', [1]],
    ['A \\[9]`[1]`, B\\ [9]`[1]`.', 'A`[1]`, B\\ `[1]`.', []],
    ['A \\\\[9]*b* \\\\\\[9]*c*.', 'A \\\\*b* \\\\*c*.', []],
  ],
  'leaves code spans unchanged': [
    ['Nodes\n-\n\n```\na[9]\n```\n', 'Nodes\n-\n\n```\na[9]\n```\n', []],
    ['Nodes\n\n   ```\n   a[9]\n   ```\n', 'Nodes\n\n   ```\n   a[9]\n   ```\n', []],
    ['Code `a[7]` stays, [2] does not.', 'Code `a[7]` stays, [1] does not.', [2]],
    ['Double ``a`[9]`` tick [1].', 'Double ``a`[9]`` tick [1].', [1]],
    ['Unclosed ` tick [9]\nand [1].', 'Unclosed \\` tick\nand [1].', [1]],
    ['Escaped \\`[9]\\` and `\\`[1]', 'Escaped \\`\\` and `\\`[1]', [1]],
    ['```a[9]``` at the start [1]', '```a[9]``` at the start [1]', [1]],
  ],
  'leaves fenced code blocks unchanged': [
    ['```py\nx[9] = y[1]\n```\nThen [1].', '```py\nx[9] = y[1]\n```\nThen [1].', [1]],
    ['~~~ [9]\nx[9]\n~~~\nThen [9].', '~~~ [9]\nx[9]\n~~~\nThen.', []],
    ['````\n```\nx[9]\n~~~~\n`````  \nThen [9].', '````\n```\nx[9]\n~~~~\n`````  \nThen.', []],
    ['```\nx[9]\n``` no end [9]\n', '```\nx[9]\n``` no end [9]\n', []],
    ['```\n    ```\nx[9]\n   ```\nThen [9].', '```\n    ```\nx[9]\n   ```\nThen.', []],
    [
      '- ```\n  x[9]\n  ```\n\n1. A\n   ~~~\n   [9](u)\n   ~~~\n[9]',
      '- ```\n  x[9]\n  ```\n\n1. A\n   ~~~\n   [9](u)\n   ~~~\n',
      [],
    ],
    ['> ```\n> x[9]\n> ```\n> Then [9].', '> ```\n> x[9]\n> ```\n> Then.', []],
    ['```[9]``` [```[9]', '```[9]``` [\\`\\`\\`', []],
    ['Not ``` a fence [9].', 'Not \\`\\`\\` a fence.', []],
    ['```\nopen fence [9]', '```\nopen fence [9]', []],
    ['~~~ [9]|x\n-|-\n[9]|\n~~~', '~~~ [9]x\n-|-\n[9]|\n~~~', []],
  ],
};

const cases = Object.entries(rules).flatMap(([rule, some]) => some.map((each) => [rule, ...each] as const));

it.each(cases)('the citation checker %s: %j becomes %j', (_rule, text, out, cited) => {
  expect(check(text)).toEqual({ out, cited });
  expect(check(text, [text.length])).toEqual({ out, cited });
});

describe('CitationChecker while the answer streams', () => {
  it('the citation checker shows plain text at once', () => {
    const checker = upTo(1);
    expect(checker.push('Nodes')).toBe('Nodes');
    expect(checker.push(' talk')).toBe(' talk');
    expect(checker.push(' [')).toBe('');
    expect(checker.push('1]')).toBe(' [1]');
    expect(checker.push('.')).toBe('.');
  });

  it('the citation checker shows an ordinary bracket as soon as it is closed', () => {
    const checker = upTo(1);
    expect(checker.push('On [2024-05-01')).toBe('On');
    expect(checker.push('] 12 ')).toBe(' [2024-05-01] 12');
  });

  it('the citation checker calls isPassage when the marker is whole', () => {
    const passages = new Set([1]);
    const checker = new CitationChecker((number) => passages.has(number));
    expect(checker.push('Early [2]. Later [2')).toBe('Early. Later');
    passages.add(2);
    expect(checker.push('].')).toBe(' [1].');
  });

  const words = 'and so on '.repeat(50);
  it.each([
    ['a marker of words', `[Source: ${words}`],
    ['a number', `[1${'1'.repeat(500)}`],
    ['a code span', `\`${words}`],
    ['a link target', `[1](https://${'a'.repeat(500)}`],
  ])('the citation checker does not hold back text forever without the end of %s', (_, text) => {
    const checker = upTo(1);
    const shown = Array.from(text, (character) => checker.push(character)).join('');
    expect(shown.replaceAll(/[ ⋯\\]/g, '')).toBe(text.replaceAll(' ', ''));
  });

  it('the citation checker breaks up an endless number in brackets', () => {
    expect(check(`A [${'1'.repeat(300)}].`).out).toBe(`A [⋯${'1'.repeat(300)}].`);
  });
});

it('the citation checker reads a list of markers without end in linear time', () => {
  const checker = new CitationChecker(() => true);
  // A pattern that backtracks over every way to split the list would take days.
  const text = `[source 1 ${'cite     1,'.repeat(40)}`;
  const shown = Array.from(text, (character) => checker.push(character)).join('') + checker.end();
  expect(shown.length).toBeGreaterThan(100);
});

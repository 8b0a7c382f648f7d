import { describe, expect, it } from 'vitest';
import { inPieces } from '../../test/in-pieces.js';
import { addressesOf, NO_ADDRESSES } from './addresses.js';
import { CitationChecker } from './citation-checker.js';

const SOURCE = 'https://book.example/nodes#topics';
const PAGE = 'https://book.example/nodes';

function clean(text: string, lengths: readonly number[] = [1], addresses = addressesOf(() => [SOURCE])) {
  const checker = new CitationChecker((number) => number >= 1 && number <= 3, addresses);
  const out = inPieces(checker, text, lengths);
  return { out, removed: Object.values(checker.removed ?? {}) };
}

type Case = [text: string, out: string, removed: [links: number, images: number, html: number]];

const rules: Record<string, Case[]> = {
  'reduces links and images to their text': [
    ['A [text](https://evil.example) B.', 'A text B.', [1, 0, 0]],
    ['A ![alt](https://evil.example/p.png?q=secret) B.', 'A alt B.', [0, 1, 0]],
    ['A ![](https://evil.example)B.', 'A B.', [0, 1, 0]],
    ['A [![alt](//evil.example)](javascript:alert) B.', 'A alt B.', [1, 1, 0]],
    ['A [`code` and [b]](/relative "title").', 'A `code` and [b].', [1, 0, 0]],
    ['A [text](<https://evil.example/a b>).', 'A text.', [1, 0, 0]],
    ['A [te\nxt](\n  https://evil.example\n).', 'A te\nxt.', [1, 0, 0]],
    ['> A [text](\n> s\n> "title").', '> A text.', [1, 0, 0]],
    ['| [a](x) | ![b](y) |\n|---|---|', '| a | b |\n|---|---|', [1, 1, 0]],
    ['Escaped \\[a](https\\://evil.example) B', 'Escaped \\[a] (`https\\://evil.example`) B', [2, 0, 0]],
  ],
  'keeps links and images to sources, with or without fragment': [
    [`A [text](${SOURCE}), ![figure](${PAGE}).`, `A [text](${SOURCE}), ![figure](${PAGE}).`, [0, 0, 0]],
    [`A [*text*](<${PAGE}> "title").`, `A [*text*](${PAGE}).`, [0, 0, 0]],
    [`A [a [b](x) ${PAGE}](${PAGE})`, `A [a b <${PAGE}>](<${PAGE}>)`, [1, 0, 0]],
    [`At ${PAGE}. Or (${SOURCE}), <${PAGE}>!`, `At ${PAGE}. Or (${SOURCE}), <${PAGE}>!`, [0, 0, 0]],
    [`At ${PAGE}[9]/x`, `At <${PAGE}> /x`, [0, 0, 0]],
  ],
  'shows other bare addresses as code': [
    ['Open http://localhost:8080, then go.', 'Open `http://localhost:8080`, then go.', [1, 0, 0]],
    [`At ${PAGE}/evil?q=secret.`, `At \`${PAGE}/evil?q=secret\`.`, [1, 0, 0]],
    [
      '(www.evil.example/a) and <https://evil.example>',
      '(`www.evil.example/a`) and `https://evil.example`',
      [2, 0, 0],
    ],
    ['Seehttp://evil.example, awww.evil.example', 'Seehttp`://evil.example`, awww`.evil.example`', [2, 0, 0]],
    [
      'At http://[2001:db8::1]/p?q=secret, http://[9] a.',
      'At `http://[2001:db8::1]/p?q=secret`, http:// a.',
      [1, 0, 0],
    ],
    [`At ${PAGE}: a`, `At <${PAGE}>: a`, [0, 0, 0]],
    ['xhttp: a, Awww. b', 'xhttp: a, Awww. b', [0, 0, 0]],
    ['Mail a.b@evil.example, <c@evil.example>.', 'Mail a.b`@evil.example`, `c@evil.example`.', [2, 0, 0]],
    [
      'https&colon;//evil.example and &#104;ttp://x.y',
      'https&amp;colon;//evil.example and &amp;#104;ttp://x.y',
      [0, 0, 0],
    ],
    [
      'A&nbsp;b, m&sup2;, [&sup2;], &#91;9], &#91;x], [&zwnj;9] and &#58;',
      'A&nbsp;b, m&sup2;, [1],, &amp;#91;x], and &amp;#58;',
      [0, 0, 0],
    ],
    ['http\\://evil.example www\\.evil.example', '`http\\://evil.example` `www\\.evil.example`', [2, 0, 0]],
    ['| a |\n|---|\n| https://a.b|c |', '| a |\n|---|\n| `https://a.b`|c |', [1, 0, 0]],
  ],
  'breaks link definitions': [
    ['[a][x]\n\n[x]: https://evil.example', '[a][x]\n\n[x] : `https://evil.example`', [1, 0, 0]],
    ['[x\ny]: /relative', '[x\ny] : /relative', [0, 0, 0]],
    ['A[^n].\n\n[^n]: Note.', 'A[^n].\n\n[^n] : Note.', [0, 0, 0]],
  ],
  'escapes the start of a tag, a comment or a declaration': [
    ['<script>x</script><!-- y --><?z?>', '&lt;script>x&lt;/script>&lt;!-- y -->&lt;?z?>', [0, 0, 4]],
    ['a < b, a <= b, a<5, x <- y', 'a < b, a <= b, a<5, x <- y', [0, 0, 0]],
    ['Vec<T> and `Vec<T>` and \\<b>', 'Vec&lt;T> and `Vec<T>` and \\<b>', [0, 0, 1]],
    ['In $a<b$ it is.', 'In $a< b$ it is.', [0, 0, 0]],
  ],
  'keeps the texts around a dropped marker or link from forming new markup': [
    ['htt[9]ps://evil.example', 'htt ps://evil.example', [0, 0, 0]],
    ['htt[](u)ps://evil.example', 'htt ps://evil.example', [1, 0, 0]],
    ['[a][9](http://evil.example)', '[a]', [1, 0, 0]],
    ['[a][Source: x](not a target)', '[a] (not a target)', [0, 0, 0]],
    ['<[9]script> and a@[9]b.c and &#[9]104;', '&lt;script> and a@ b.c and &# 104;', [0, 0, 0]],
    [`[t](${SOURCE})\\[9]<img src=x>`, `[t](${SOURCE}) &lt;img src=x>`, [0, 0, 1]],
    [
      `<${SOURCE}>\\ [9]&#91;x] ${PAGE}\\[9]\`<b>`,
      `<${SOURCE}>\\ &amp;#91;x] <${PAGE}> \\\`&lt;b>`,
      [0, 0, 1],
    ],
    ['[~9]:~ [~5], [~a~]', '[\\~9] :~ [\\~5], [~a~]', [0, 0, 0]],
    ['xh[9]ttps://evil.example', 'xh ttps://evil.example', [0, 0, 0]],
    [
      'seeht[](u)tps://evil.example, xww[9]w.evil.example',
      'seeht tps://evil.example, xww w.evil.example',
      [1, 0, 0],
    ],
    ['[![7](u)](v) [<b>7</b>] [[](u)7]', '! [&lt;b>7&lt;/b>] [⋯7]', [3, 0, 2]],
  ],
  'recognizes code as a Markdown parser does': [
    ['`[a](x) <b>` and\n```\n<b> http://a.b\n```', '`[a](x) <b>` and\n```\n<b> http://a.b\n```', [0, 0, 0]],
    ['`a\n` http://a.b `c`', '\\`a\n` http://a.b `c\\`', [0, 0, 0]],
    ['- ```\n  <b>\n<b>', '- ```\n  <b>\n&lt;b>', [0, 0, 1]],
    ['> ```\n> <b>\n<b>\n```\n<b>', '> ```\n> <b>\n&lt;b>\n\\`\\`\\`\n&lt;b>', [0, 0, 2]],
    ['text\n    ```\n<b>', 'text\n    \\`\\`\\`\n&lt;b>', [0, 0, 1]],
    ['- a\n\n      ```\n  <b>', '- a\n\n      \\`\\`\\`\n  &lt;b>', [0, 0, 1]],
    ['| `a | <b>` |\n|---|---|', '| `a | <b>` |\n|---|---|\\', [0, 0, 0]],
    ['| a |\n|---|\n2) \n`x | <b>`', '| a |\n|---|\n2) \n`x \\| <b>`', [0, 0, 0]],
    ['a|b\n-|-\n-\n  ```\n<b>', 'a|b\n-|-\n-\n  \\`\\`\\`\n&lt;b>', [0, 0, 1]],
    ['![```](//evil)``` `[](x)`', '![\\`\\`\\`] (//evil)\\`\\`\\` `[](x)`', [1, 0, 0]],
    ['![[\n`]](//evil)`', '![[\n\\`]] (//evil)\\`', [1, 0, 0]],
    ['a|b\n-|-\n\t~~~\n\n2. ~~~<b>', 'a|b\n-|-\n\t\\~~~\n\n2. \\~~~&lt;b>', [0, 0, 1]],
    ['a|b\n-|-\n    c\n2. ~~~<b>', 'a|b\n-|-\n    c\n2. \\~~~&lt;b>', [0, 0, 1]],
    ['+ -\t-\t```\n        <b>', '+ -\t-\t\\`\\`\\`\n        &lt;b>', [0, 0, 1]],
    ['a\n|-\n\t\n`<b>|`', 'a\n|-\n\t\n`<b>\\|`', [0, 0, 0]],
    ['a\n2) \n-\n  ```\n<b>', 'a\n2) \n-\n  \\`\\`\\`\n&lt;b>', [0, 0, 1]],
    ['![`a``](//evil)`', '![\\`a\\`\\`] (//evil)\\`', [1, 0, 0]],
    [
      '```c++ ![x](//evil) <b>|\n-|-\n| <b> |\n```\n> ~~~~js title="é.ts" {1,3-5}|\n> |-|',
      '```c++ x(//evil) b\n-|-\n| <b> |\n```\n> ~~~~js title="é.ts" {1,3-5}\n> |-|',
      [0, 0, 0],
    ],
    ['- ```\r<b>', '- ```\n&lt;b>', [0, 0, 1]],
    ['`a\r\r<b>` c\r\nd', '\\`a\n\n&lt;b>\\` c\r\nd', [0, 0, 1]],
    ['- ~~~\n\u00a0<b>', '- ~~~\n\u00a0&lt;b>', [0, 0, 1]],
    ['- ~~~\n\v\n  <b>', '- ~~~\n\v\n  &lt;b>', [0, 0, 1]],
    ['a\n- 2. ~~~<b>', 'a\n- 2. \\~~~&lt;b>', [0, 0, 1]],
    ['    a\n0. ~~~<b>', '    a\n0. \\~~~&lt;b>', [0, 0, 1]],
    ['text\n-\t~~~\n\t<b>\n-', 'text\n-\t\\~~~\n\t&lt;b>\n-', [0, 0, 1]],
    ['[\n~~~]:`\n<b>', '[\n~~~:\n<b>', [0, 0, 0]],
    ['[\n\n~~~\n]: <b>\n~~~', '[\n\n~~~\n] : <b>\n~~~', [0, 0, 0]],
    ['[\n```\na[1]: b]: c\n```', '[\n```\na[1]: b]: c\n```', [0, 0, 0]],
    ['|\n=\n0. ```\n   <b>', '|\n=\n0. \\`\\`\\`\n   &lt;b>', [0, 0, 1]],
    ['|\n=\n0.  a\n    ```\n    <b>', '|\n=\n0.  a\n    \\`\\`\\`\n    &lt;b>', [0, 0, 1]],
    ['- a\n``` ```\n01. ~~~\n    <b>', '- a\n``` ```\n01. \\~~~\n    &lt;b>', [0, 0, 1]],
    [
      '-\n\n   ```\n   <b>\n   ```\n- a\nb\n  ```\n  <b>\n  ```',
      '-\n\n   ```\n   <b>\n   ```\n- a\nb\n  ```\n  <b>\n  ```',
      [0, 0, 0],
    ],
    ['-\n\n- ```\n  <b>', '-\n\n- ```\n  <b>', [0, 0, 0]],
    ['- a\n##\n\n   ```\n   <b>', '- a\n##\n\n   ```\n   <b>', [0, 0, 0]],
    [
      '1. a\n2. b\n   ```\n   <b>\n   ```\n\n3. ```\n   <b>\n   ```',
      '1. a\n2. b\n   ```\n   <b>\n   ```\n\n3. ```\n   <b>\n   ```',
      [0, 0, 0],
    ],
    [
      '- a\nb\n```\n<b>\n```\n1. a\nb\n2. c\n   ```\n   <b>',
      '- a\nb\n```\n<b>\n```\n1. a\nb\n2. c\n   ```\n   <b>',
      [0, 0, 0],
    ],
    ['a\n01. ```<b>', 'a\n01. \\`\\`\\`&lt;b>', [0, 0, 1]],
    ['| a |\n|---|\n| `x | <b>` |', '| a |\n|---|\n| `x \\| <b>` |', [0, 0, 0]],
  ],
};

it.each([1, 2, 3, 4, 5, 6])(
  'safe markup finds an address within a word when it arrives in pieces of %i',
  (length) => {
    const text = 'shttps://book.example/docs/nodes xwww.evil.example';
    const out = 'shttps`://book.example/docs/nodes` xwww`.evil.example`';
    expect(clean(text, [length])).toEqual({ out, removed: [2, 0, 0] });
  },
);

const cases = Object.entries(rules).flatMap(([rule, some]) => some.map((each) => [rule, ...each] as const));

it.each(cases)('safe markup %s: %j becomes %j', (_rule, text, out, removed) => {
  expect(clean(text)).toEqual({ out, removed });
  expect(clean(text, [text.length])).toEqual({ out, removed });
});

it('safe markup reduces every link to its text if there are no sources', () => {
  expect(clean(`[a](${PAGE}) ${PAGE}`, [1], NO_ADDRESSES)).toEqual({
    out: `a \`${PAGE}\``,
    removed: [2, 0, 0],
  });
});

it('safe markup leaves its own output unchanged', () => {
  for (const [, out] of Object.values(rules).flat()) expect(clean(out).out).toBe(out);
});

it.each([
  '[](u)',
  '[a](u "',
  '![',
  '(',
  '[x]: ',
  '<a ',
  'a@b.',
  '&#1',
  '`',
  '$a',
  'http://',
  '> - ',
  '[1 to ',
  '\\',
])(
  'safe markup cleans a long repetition of %j in linear time',
  (part) => {
    for (const text of [part.repeat(200), `[${part.repeat(200)}`, `[a](${part.repeat(200)}`]) {
      expect(clean(text).out.length).toBeGreaterThanOrEqual(0);
    }
  },
  3000,
);

describe('SafeMarkup while the answer streams', () => {
  it('safe markup shows ordinary text at once, and holds back an address only while it may be a source', () => {
    const checker = new CitationChecker(
      () => true,
      addressesOf(() => [SOURCE]),
    );
    const pieces = ['How ', 'nodes', ' publish with', ': a', ' https://bo', 'ok.evil', '/x y'];
    expect(pieces.map((piece) => checker.push(piece))).toEqual([
      'How',
      ' nodes',
      ' publish with',
      ': a',
      ' ',
      '`https://book.evil',
      '/x` y',
    ]);
  });

  it.each([
    ['a link', `[${'text '.repeat(200)}`],
    ['a target', `[a](${'x'.repeat(1000)}`],
    ['an address', `https://book.example/${'a'.repeat(1000)}`],
    ['a domain', `a@${'b'.repeat(500)}`],
    ['an autolink', `<https://${'b'.repeat(1000)}`],
    ['an entity', `&${'b'.repeat(100)}`],
    ['a formula', `$${'b'.repeat(300)}`],
  ])('safe markup does not hold back text forever without the end of %s', (_, text) => {
    const checker = new CitationChecker(
      () => true,
      addressesOf(() => [SOURCE]),
    );
    expect(checker.push(text).length).toBeGreaterThan(20);
  });
});

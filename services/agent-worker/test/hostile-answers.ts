import fc from 'fast-check';

/** The addresses of the passages; some hostile addresses start like them. */
export const SOURCES = ['https://book.example/docs/nodes#topics', 'https://book.example/docs/a_b?x=1&y=2'];

const addresses = [
  ...SOURCES,
  'https://book.example/docs/nodes',
  'https://book.example/docs/nodes/evil?q=secret',
  'https://book.example',
  'https://evil.example/p.png?q=secret',
  'http://evil.example',
  'HTTPS://EVIL.EXAMPLE/a(b)',
  'http://[2001:db8::1]/p?q=secret',
  '//evil.example/x',
  '/relative',
  'www.evil.example/x',
  'javascript:alert(1)',
  'data:text/html;x',
  'mailto:a@evil.example',
  'a@evil.example',
  'xmpp:a@evil.example/x',
  'https\\://evil.example',
  'https&colon;//evil.example',
  '&#104;ttps://evil.example',
  'h&#x74;tp://evil.example',
  'a&commat;evil.example',
  'a\\@evil.example',
  'a@evil\\.example',
  'www\\.evil.example',
  'www&period;evil.example',
  '',
];

const forms = [
  '@',
  '<@>',
  '[text](@)',
  '![alt](@)',
  '[text](<@>)',
  '[text](@ "title")',
  '[text](\n@\n)',
  '[text]( @ )',
  '[te\nxt](@)',
  '![](@)',
  '[](@)',
  '[![alt](@)](@)',
  '[`code`](@)',
  '[a [b] c](@)',
  '[text][ref]',
  '![alt][ref]',
  '[ref][]',
  '[ref]',
  '\n[ref]: @\n',
  '\n\n[ref]: <@> "title"\n\n',
  '\n\n[ref]:\n@\n',
  '\n\n[r\nef]: @\n\n',
  '\n\n[^note]: @\n\n',
  '[^note]',
  '<a href="@">',
  '</a>',
  '<img src=@ onerror=x>',
  '<script>fetch("@")</script>',
  '<!-- @ -->',
  '<?x @ ?>',
  '<![CDATA[@]]>',
  '<!DOCTYPE @>',
  '\n| a | b |\n|---|---|\n| @ | `x | @ ` |\n',
  '\n`a | @` | b\n--|--\n',
  '\n| `@ | b` |\n| :- | - |\n| [x](@) | \\| |\n\n',
  '**@**',
  '(@)',
  '"@".',
  '@,',
  '[9](@)',
  '[1](@)',
  '[@](@)',
  'x@',
  '@\\[9]<b>',
  '[x](@)\\ [9]<b>',
  '@\\[9]&#91;9]',
  '\n```![x](@)|\n-|-\n| ![x](@)\n```\n',
  '\n~~~ <@>|\n|-|\n[9]\n~~~\n',
];

/** Starts of Markdown blocks, and text that resembles them. */
const blockStarts = [
  '|> |>|- |-|- - |1. |2) |  |   |    |# |---\n|***\n|-\n|```\n|  ```\n|    ```\n|     ```\n'.split('|'),
  '> ```\n|- ```\n|-\t~~~\n|0. ```\n|01. ~~~\n|=\n|[a\n|~~~\n|  ~~~\n|> - ```\n'.split('|'),
  '|-|\n',
]
  .flat()
  .map((start) => `\n${start}`);

const scraps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...forms), fc.constantFrom(...addresses))
      .map(([form, address]) => form.replaceAll('@', () => address)),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...Array.from('[]()<>!\\`~*_|:/&;#@.-+=$"\'^{}79aehtpsw \n'),
      ...'[9] [1] ]( ]: ![ `` ``` ~~~ &# http s:// ww w. $x[1]$ [&sup2;&zwnj;9] [&nbsp;9] &lbrack;9] &#91; &shy; &nbsp; &rsqb;'.split(
        ' ',
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...blockStarts, '\n\n', '\n\t', '\n===\n', ' text ', '\u200b', '．', '\r\n'),
  },
);

/** Answers with links, images and HTML to addresses other than the sources. */
export const hostileAnswers = fc.array(scraps, { maxLength: 24, size: 'max' }).map((some) => some.join(''));

/** Markup with an address that is interrupted by a marker to be dropped. */
export const cutByMarkers = fc
  .tuple(
    fc.constantFrom(...forms),
    fc.constantFrom(...addresses),
    fc.array(
      fc.tuple(
        fc.nat(60),
        fc.constantFrom('[9]', '\\[9]', '\\ [9]', '[](u)', '![](u)', ' [9]', '[9](u)', '[Source: x]'),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([form, address, cuts]) => {
    let text = form.replaceAll('@', () => address);
    for (const [at, dropped] of cuts) {
      const place = text.length === 0 ? 0 : at % text.length;
      text = text.slice(0, place) + dropped + text.slice(place);
    }
    return text;
  });

/** Ordinary Markdown without citations, which stays unchanged. */
export const ordinaryMarkdown = fc
  .array(
    fc.constantFrom(
      '# Nodes and topics',
      'Nodes **publish** messages, _others_ subscribe; see the docs.',
      'If a < b and b <= c, or x <- y, then 3 < 5 & R&D > 1.',
      'Use `Vec<T>` and `a || b`, or ``x ` y``.',
      '- one\n- two\n  - nested `code`\n- [ ] open\n- [x] done',
      '1. first\n2. second\n\n   ```py\n   x[9] = y[1]\n   ```\n3. third',
      '```cpp\nstd::vector<int> a; // http://localhost:8080 [x](http://a.b)\n```',
      '> quoted\n> text\n>\n> ```\n> <b>code</b> [9]\n> ```',
      '| a | b |\n|---|:-:|\n| 1 | `x` |',
      'Run:\n1. a\n   ```sh\n   x <b> y\n   ```\n2. b\nc\n3. d\n   - e\n     ~~~ts title="x"\n     [9]\n     ~~~\n',
      '- a\n  ```\n  [9]\n  ```\n- b\n\n  ```\n  <b>\n  ```',
      'The mass is $m_1 = x[1] + [0, 1]$ and $a<5$, for $5 and $6.',
      '---',
      'Hello! What (2) is f(2) in (2024)? 50% of a@b.',
      'Escaped \\* star, \\[bracket and \\`tick.',
      'It runs on https://book.example/docs/nodes, too.',
      'See [the nodes](https://book.example/docs/nodes#topics).',
      '![figure](https://book.example/docs/nodes)',
      'Press <https://book.example/docs/nodes#topics> now.',
      'arr[1] and x[2] with [see below] and [x, 3], [0, 1].',
      '~~gone~~ and ~ approximately.',
      'AT&amp;T &lt;b&gt; &copy; it&#39;s &mdash;',
    ),
    { maxLength: 8 },
  )
  .map((some) => some.join('\n\n'));

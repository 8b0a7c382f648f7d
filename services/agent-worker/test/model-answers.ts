import fc from 'fast-check';

/** Passages 1 to this number exist; some markers name others. */
export const PASSAGES = 6;

interface Part {
  text: string;
  /** The passages that a whole marker names. */
  numbers?: number[];
  code?: string;
  isBroken?: boolean;
}

const number = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: PASSAGES }) },
  fc.constantFrom(7, 9, 42, 2024, 123_456),
);
/** One of the forms, which are separated by two blanks or a line break. */
const oneOf = (forms: string) => fc.constantFrom(...forms.trim().split(/\s{2,}/));

const single = fc
  .tuple(
    number,
    oneOf(`[#]  [ # ]  [[#]]  [^#]  【#】  【#†source】  【#:0†L1-L4】  [Source #]  [source: #]  [Passage #]  [cite: #]  [**#**]  [*#*]  [_#_]  [~#~]  [&nbsp;#]  [#&#8203;]  [&zwnj;#]  &lbrack;#]  [#&rsqb;  [#\u0332]  [**Source #**]  ❲#❳
      [Source: [#]]  [Source #: The introduction]  [#](https://made.up)  [#](https://made.up/a_(b) "Title")`),
  )
  .map(([named, form]): Part => ({ text: ` ${form.replace('#', String(named))}`, numbers: [named] }));
const several = fc
  .tuple(
    fc.tuple(number, number),
    oneOf(`[#, #]  [#; #]  [# and #]  [#,#]  [[#], [#]]  [^#, ^#]  【#, #】
      [Sources: #, #]  [passages # and #]  [Source #, Source #]`),
  )
  .map(([numbers, form]): Part => {
    const rest = [...numbers];
    return { text: ` ${form.replaceAll('#', () => String(rest.shift()))}`, numbers };
  });
const ranges = fc
  .tuple(number, fc.integer({ min: 1, max: 5 }), fc.constantFrom('-', '–', ' - '))
  .map(([from, more, dash]): Part => ({
    text: ` [${from}${dash}${from + more}]`,
    numbers: Array.from({ length: more + 1 }, (_, i) => from + i),
  }));
const wordsOnly = oneOf(`[Source: the introduction]  [Sources: chapter 2, page 7]
  [Source: x](https://made.up)  【source: notes】`).map((form): Part => ({ text: ` ${form}`, numbers: [] }));

const prose = oneOf(`Nodes talk  – naïve 😀 日本語  *so*  (1)
  [see below]  [text](https://a.b/c)  [Sourcebook](x)  [x] done`).map((text): Part => ({ text: ` ${text}` }));
const punctuation = fc
  .constantFrom('.', ', and so on', '\n\n', '\n-', '\n>', '\n##')
  .map((text): Part => ({ text }));

const spans = oneOf('`a[1]`  ``b`[9]``  `[Source: x]`  ```c[2]```  `[1][7]`  `x[0] = 【1】`').map(
  (code): Part => ({ text: ` ${code}`, code }),
);
const fences = fc
  .tuple(
    fc.constantFrom('```', '````', '~~~', '~~~~~'),
    fc.constantFrom('', 'py', 'ts title="[9]"'),
    fc.constantFrom('x[9] = y[1]', 'a[1]\n\nb[7] `[2]', '``\n[Source: x]', '[1](u) # ```` no end'),
    fc.constantFrom('', '- ', '> '),
    fc.constantFrom('', ' ', 'longer'),
  )
  .map(([run, info, body, lead, closing]): Part => {
    const end = run + (closing === 'longer' ? run.charAt(0) : closing);
    const lines = [run + info, ...body.split('\n'), end];
    const code = lines.map((line, i) => (i === 0 ? lead : lead.replace('-', ' ')) + line).join('\n');
    return { text: `\n\n${code}\n`, code };
  });

const broken = fc
  .oneof(
    oneOf(`[[7]1]  [1[9]]  [1, [9]2]  [1, x [7]2]  [[[9]]1]  [1, [[9]]2]  [Sour[9]ce: 2]  [Source: [3]  \\[1\\]  \\[9\\]
      [1  [ [9  【1  [Source: 1  [1](https://  [2](some words)  [9](  ]`),
    fc.tuple(number, number).map(([a, b]) => `[${a}[${b}](u)]`),
    fc.tuple(number, number).map(([a, b]) => `[${a} [[${b}]]${a}]`),
  )
  .map((form): Part => ({ text: ` ${form}`, isBroken: true }));

/** Answers as models write them, with the expected output unless a part is broken. */
export const answersOfParts = fc
  .array(fc.oneof(prose, punctuation, single, several, ranges, wordsOnly, spans, fences, broken), {
    maxLength: 14,
    size: 'max',
  })
  .map((parts) => {
    const cited: number[] = [];
    const shown = parts.map((part) => shownPart(part, cited)).join('');
    return {
      text: parts.map((part) => part.text).join(''),
      code: parts.flatMap(({ code }) => code ?? []),
      isBroken: parts.some((part) => part.isBroken),
      shown,
      cited,
    };
  });

function shownPart({ text, numbers }: Part, cited: number[]): string {
  if (!numbers) return text;
  const valid = [...new Set(numbers)].filter((each) => each >= 1 && each <= PASSAGES);
  for (const each of valid) if (!cited.includes(each)) cited.push(each);
  return valid.length === 0 ? '' : ` ${valid.map((each) => `[${cited.indexOf(each) + 1}]`).join('')}`;
}

const scraps = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...Array.from('[[[]]]【】()127,-–^#:†|xé😀`~\\\n ')) },
  {
    weight: 3,
    arbitrary: oneOf('[9]  [1]  [cite_start]  (u)  12  Source  source:  pass  ages  and  ``  ```  ~~~'),
  },
  fc.constantFrom('\n\n', '\n> ', '\n- '),
);

/** Answers of random fragments of markers, links and code. */
export const answersOfGarbage = fc.array(scraps, { maxLength: 40, size: 'max' }).map((some) => some.join(''));

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spansOf } from './selection-spans.js';

const cases: [rule: string, selection: string, spans: string[]][] = [
  ['a blank selection has no spans', ' \n\t ', []],
  [
    'each sentence is a span without the blanks around it',
    '  A node is a process.  It publishes messages on topics!\n',
    ['A node is a process.', 'It publishes messages on topics!'],
  ],
  [
    'headings, list items and lines of code are spans of their own',
    '# Nodes\n- one\n- two\r\n\n    spin()\n',
    ['# Nodes', '- one', '- two', 'spin()'],
  ],
  [
    'a short sentence is joined with the next one of its line',
    'Yes. A node is a process. No. It publishes messages.',
    ['Yes. A node is a process.', 'No. It publishes messages.'],
  ],
  [
    'a short sentence at the end of a line is joined with the previous one',
    'A node is a process. Yes.\nNo.',
    ['A node is a process. Yes.', 'No.'],
  ],
  [
    'Japanese sentences end at their own full stop',
    'ノードはプロセスであり、メッセージを送信します。トピックはメッセージを運ぶための経路であります。',
    ['ノードはプロセスであり、メッセージを送信します。', 'トピックはメッセージを運ぶための経路であります。'],
  ],
  [
    'operators of code end no sentence',
    'if (the_first_condition!=another_condition) { node?.spin_until_done() }',
    ['if (the_first_condition!=another_condition) { node?.spin_until_done() }'],
  ],
];

describe('spansOf', () => {
  it.each(cases)('%s', (_, selection, spans) => {
    expect(spansOf(selection).map(({ text }) => text)).toEqual(spans);
  });

  it('a selection of 250 lines becomes 100 spans of two or three lines', () => {
    const lines = Array.from({ length: 250 }, (_, i) => `- line ${i}`);
    const spans = spansOf(lines.join('\n'));
    expect(spans).toHaveLength(100);
    expect(new Set(spans.map(({ text }) => text.split('\n').length))).toEqual(new Set([2, 3]));
  });
});

it('the spans of any selection are numbered slices in order that cover every non-blank character', () => {
  const words = fc.constantFrom(
    'Node',
    ' ',
    '  ',
    '. ',
    '! ',
    '\n',
    '\r\n',
    '\u2028',
    '\t',
    '- ',
    '。',
    '؟ ',
    '😀',
    '\uD83D',
    'a.b',
    '\u0085',
  );
  const selections = fc.oneof(
    fc.array(words, { maxLength: 600, size: 'max' }).map((some) => some.join('')),
    fc.string({ unit: 'binary', maxLength: 500, size: 'max' }),
  );
  fc.assert(
    fc.property(selections, (selection) => {
      const spans = spansOf(selection);
      expect(spans.length).toBeLessThanOrEqual(100);
      let end = 0;
      for (const [i, span] of spans.entries()) {
        expect(span.number).toBe(i + 1);
        expect(selection.slice(span.start, span.end)).toBe(span.text);
        expect(span.text).toMatch(/^\S([^]*\S)?$/);
        expect(selection.slice(end, span.start)).toMatch(/^\s*$/);
        end = span.end;
      }
      expect(selection.slice(end)).toMatch(/^\s*$/);
    }),
    { numRuns: 500 },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cuts, inPieces } from '../../test/in-pieces.js';
import { LeadingThoughts } from './leading-thoughts.js';

const shown = (text: string, lengths: readonly number[] = [text.length || 1]) => {
  const thoughts = new LeadingThoughts();
  const asText = { push: (piece: string) => thoughts.push(piece).text, end: () => thoughts.end().text };
  return inPieces(asText, text, lengths);
};

const cases: [text: string, answer: string][] = [
  ['<think>I wonder.</think>\n\nSo [1].', 'So [1].'],
  ['\n \u200B<THINK >I wonder.</Think >So.', 'So.'],
  ['<thinking>a</thinking>So.', 'So.'],
  ['<thought>a</thought>So.', 'So.'],
  ['<reasoning>a < b, </think> and <reasoning></reasoning> So.', 'So.'],
  ['<think>a</think> <think>b</think> So.', 'So.'],
  ['<think></think>', ''],
  ['<think>Without an end', ''],
  ['<think>Without an end</thin', ''],
  ['Models write `<think>x</think>` first.', 'Models write `<think>x</think>` first.'],
  ['```\n<think>x</think>\n```', '```\n<think>x</think>\n```'],
  ['So. <think>x</think>', 'So. <think>x</think>'],
  ['<think>a</think>So. <think>b</think>', 'So. <think>b</think>'],
  ['<thinker>x</thinker>', '<thinker>x</thinker>'],
  ['<thi', '<thi'],
  ['< think>x', '< think>x'],
  ['  indented', '  indented'],
  ['', ''],
];

describe('LeadingThoughts', () => {
  it.each(cases)('the answer in %j is %j', (text, answer) => expect(shown(text)).toBe(answer));

  it('the separated answer does not depend on how the text is cut into pieces', () => {
    const part = fc.constantFrom(
      ...cases.map(([text]) => text),
      '<think',
      '>',
      '</think>',
      '<',
      ' ',
      '\n',
      'So',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), cuts, (parts, lengths) => {
        const text = parts.join('');
        expect(shown(text, lengths)).toBe(shown(text));
      }),
    );
  });
});

it('reasoning is returned while it streams, also without a closing tag', () => {
  const thoughts = new LeadingThoughts();
  const told = ['<thi', 'nk>I ', 'wonder', ' </th'].map((piece) => thoughts.push(piece).thought);
  expect(told).toEqual(['', 'I ', 'wonder', ' ']);
});

it('blanks without end are passed on instead of held back', () => {
  expect(new LeadingThoughts().push(' '.repeat(1000)).text).toHaveLength(1000);
});

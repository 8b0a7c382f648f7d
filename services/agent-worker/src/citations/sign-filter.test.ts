import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cuts, inPieces } from '../../test/in-pieces.js';
import { SignFilter } from './sign-filter.js';

const NOT_IN_BOOK = '<not_in_book/>';
const KEY = 'k3f9a2c1';

function filter(text: string, signs: readonly string[], lengths: readonly number[] = [1]) {
  const signFilter = new SignFilter(signs);
  const out = inPieces(signFilter, text, lengths);
  return { out, seen: [...signFilter.seen].toSorted(), opening: signFilter.opening };
}

const cases: [text: string, out: string, seen: string[], opening: string | undefined][] = [
  ['Plain text < with _ more.', 'Plain text < with _ more.', [], undefined],
  ['<not_in_book/>', '', [NOT_IN_BOOK], NOT_IN_BOOK],
  ['<NOT_in_Book/> Sorry.', ' Sorry.', [NOT_IN_BOOK], NOT_IN_BOOK],
  ['\n> **`"<not_in_book/>"`**', '\n> **`""`**', [NOT_IN_BOOK], NOT_IN_BOOK],
  ['Sorry. <not_in_book/>', 'Sorry. ', [NOT_IN_BOOK], undefined],
  ['<not_in_book', '<not_in_book', [], undefined],
  ['A K3F9A2C1 B k3f9a2c1.', 'A  B .', [KEY], undefined],
  ['k3f9a2c1<not_in_book/>', '', [NOT_IN_BOOK, KEY], KEY],
  ['<not_<not_in_book/>in_book/>', '<not_…in_book/>', [NOT_IN_BOOK], undefined],
  ['k3f<not_in_book/>9a2c1', 'k3f…9a2c1', [NOT_IN_BOOK], undefined],
  ['k3k3f9a2c1f9a2c1 on', 'k3…f9a2c1 on', [KEY], undefined],
];

describe('SignFilter', () => {
  it.each(cases)('the sign filter turns %j into %j', (text, out, seen, opening) => {
    const signs = [NOT_IN_BOOK, KEY];
    expect(filter(text, signs)).toEqual({ out, seen, opening });
    expect(filter(text, signs, [text.length])).toEqual({ out, seen, opening });
  });

  it('the sign filter matches the longer of two signs that start at the same index', () => {
    expect(filter('abcd ab', ['ab', 'abc'])).toMatchObject({
      out: 'd ',
      seen: ['ab', 'abc'],
      opening: 'abc',
    });
  });

  it('the sign filter removes many signs in one piece in linear time', () => {
    // Copying the rest of the text for each sign would take minutes.
    expect(filter(NOT_IN_BOOK.repeat(100_000), [NOT_IN_BOOK, KEY], [2_000_000]).out).toBe('');
  });

  it('the sign filter holds back only text that may still become a sign', () => {
    const signFilter = new SignFilter([NOT_IN_BOOK]);
    expect(signFilter.push('a < b <no')).toBe('a < b ');
    expect(signFilter.push('de> <')).toBe('<node> ');
    expect(signFilter.end()).toBe('<');
  });
});

describe('SignFilter, for any text and signs', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'A', 'b', 'c', '<', ' ', '😀'),
    maxLength: 60,
    size: 'max',
  });
  const signs = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', '<'), minLength: 1, maxLength: 5 }),
    {
      maxLength: 3,
    },
  );

  it('the output of the sign filter does not depend on how the text is cut into pieces, and holds no sign', () => {
    fc.assert(
      fc.property(letters, signs, cuts, (text, some, lengths) => {
        const whole = filter(text, some, [text.length + 1]);
        expect(filter(text, some, lengths)).toEqual(whole);
        expect(some.filter((sign) => whole.out.toLowerCase().includes(sign))).toEqual([]);
        expect(whole.seen.length > 0).toBe(some.some((sign) => text.toLowerCase().includes(sign)));
      }),
      { numRuns: 5_000 },
    );
  });
});

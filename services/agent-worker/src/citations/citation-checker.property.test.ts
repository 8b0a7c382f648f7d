import fc from 'fast-check';
import { toString } from 'mdast-util-to-string';
import { describe, expect, it } from 'vitest';
import { cuts, inPieces } from '../../test/in-pieces.js';
import { answersOfGarbage, answersOfParts, PASSAGES } from '../../test/model-answers.js';
import { propertyRuns } from '../../test/property-runs.js';
import { allNodes, proseOf, readGfm } from '../../test/read-markdown.js';
import { CitationChecker } from './citation-checker.js';

const isPassage = (number: number) => number >= 1 && number <= PASSAGES;

function check(text: string, lengths: readonly number[]) {
  const checker = new CitationChecker(isPassage);
  return { out: inPieces(checker, text, lengths), cited: checker.cited };
}

/** A number in brackets after a single small letter is an index. */
const indexes = /(?<=^|[\s$(=+,{|])[a-z]\d?(?:\[\d+\])+/gu;

/** Markers and sources match one to one and are numbered in order of first use. */
function expectTrueCitations({ out, cited }: { out: string; cited: number[] }): void {
  const prose = proseOf(out).replaceAll(indexes, '');
  const shown = [...prose.matchAll(/\[[ \t]*(\d+)[ \t]*\]/g)].map((marker) => Number(marker[1]));
  expect([...new Set(shown)]).toEqual(cited.map((_, i) => i + 1));
  expect(cited.filter((passage) => !isPassage(passage))).toEqual([]);
  expect(new Set(cited).size).toBe(cited.length);
  const links = allNodes(readGfm(out)).filter(({ type }) => type === 'link' || type === 'linkReference');
  expect(links.filter((link) => /^\d+$/.test(toString(link)))).toEqual([]);
}

function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at).toBeGreaterThanOrEqual(0);
    from = at + part.length;
  }
}

describe('CitationChecker', () => {
  it('the citation checker shows only markers that match its sources, and code unchanged, in 10,000 generated answers', () => {
    fc.assert(
      fc.property(answersOfParts, cuts, ({ text, code, isBroken, shown, cited }, lengths) => {
        const checked = check(text, lengths);
        expectTrueCitations(checked);
        expectInOrder(checked.out, code);
        if (!isBroken) expect(checked).toEqual({ out: shown, cited });
      }),
      propertyRuns(10_000),
    );
  });

  it('the citation checker shows only markers that match its sources in 10,000 answers of random fragments', () => {
    fc.assert(
      fc.property(answersOfGarbage, cuts, (text, lengths) => expectTrueCitations(check(text, lengths))),
      propertyRuns(10_000),
    );
  });

  it('the output of the citation checker does not depend on how the text is cut into pieces', () => {
    const answers = fc.oneof(
      answersOfGarbage,
      answersOfParts.map(({ text }) => text),
    );
    fc.assert(
      fc.property(answers, cuts, (text, lengths) => {
        const whole = check(text, [text.length + 1]);
        expect(check(text, lengths)).toEqual(whole);
        expect(check(text, [1])).toEqual(whole);
      }),
      propertyRuns(2_000),
    );
  });
});

it('the citation checker holds back no prose except blanks, a backslash, two tildes and the possible start of an entity or of a marker at its end', () => {
  const prose = fc.array(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a~~~', '\n', ' ', '\t', '(', ':', '\\')),
  );
  fc.assert(
    fc.property(prose, (strings) => {
      const checker = new CitationChecker(isPassage);
      const pieces = strings.map((piece) => piece.replaceAll(/[`$>*+\d-]|(?![()])[\p{Ps}\p{Pe}]/gu, ''));
      let pushed = '';
      let shown = '';
      for (const piece of pieces) {
        pushed += piece;
        shown += checker.push(piece);
        expect(pushed.startsWith(shown)).toBe(true);
        expect(pushed.slice(shown.length)).toMatch(/^[ \t]*(?:~{1,2}|&[#\w]*|\\?(?:\([\sa-z*_~]*)?)$/i);
      }
      expect(shown + checker.end()).toBe(pushed);
    }),
    propertyRuns(100),
  );
});

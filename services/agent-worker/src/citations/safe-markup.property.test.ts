import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutByMarkers, hostileAnswers, ordinaryMarkdown, SOURCES } from '../../test/hostile-answers.js';
import { cuts, inPieces } from '../../test/in-pieces.js';
import { propertyRuns } from '../../test/property-runs.js';
import { allNodes, proseOf, readGfm } from '../../test/read-markdown.js';
import { addressesOf } from './addresses.js';
import { CitationChecker } from './citation-checker.js';
import { asSeen } from './undisguised.js';

const allowed = new Set(SOURCES.flatMap((source) => [source, source.replace(/#.*/, '')]));
const forbidden = new Set(['html', 'definition', 'linkReference', 'imageReference', 'footnoteDefinition']);
const PASSAGES = 3;
/** Formulas, and numbers in brackets after a single small letter, are no citations. */
const values = /(?<![\w$])(?:\$\$[^$\n]*\$\$|\$[^$\n]*\$)|(?<=^|[\s$(=+,{|])[a-z]\d?(?:\[\d+\])+/gu;

function clean(text: string, lengths: readonly number[]) {
  const isPassage = (number: number) => number >= 1 && number <= PASSAGES;
  const checker = new CitationChecker(
    isPassage,
    addressesOf(() => SOURCES),
  );
  return { out: inPieces(checker, text, lengths), cited: checker.cited, removed: checker.removed };
}

function expectSafe({ out, cited }: { out: string; cited: readonly number[] }): void {
  const nodes = allNodes(readGfm(out));
  const led = nodes.flatMap((node) => (node.type === 'link' || node.type === 'image' ? node.url : []));
  expect(led.filter((address) => !allowed.has(address))).toEqual([]);
  expect(nodes.filter(({ type }) => forbidden.has(type))).toEqual([]);
  const prose = Array.from(proseOf(out), asSeen).join('').replaceAll(values, '');
  const markers = [...prose.matchAll(/\[[ \t]*(\d+)[ \t]*\]/g)].map((marker) => Number(marker[1]));
  expect(markers.filter((marker) => marker < 1 || marker > cited.length)).toEqual([]);
}

const hostile = fc.oneof({ weight: 3, arbitrary: hostileAnswers }, cutByMarkers);

describe('SafeMarkup', () => {
  it('a hostile answer keeps only links to sources and markers of passages when a Markdown parser reads its safe form', () => {
    fc.assert(
      fc.property(hostile, (text) => expectSafe(clean(text, [text.length + 1]))),
      propertyRuns(5_000),
    );
  });

  it('the safe form of a hostile answer does not depend on how it is cut into pieces', () => {
    fc.assert(
      fc.property(hostile, cuts, (text, lengths) => {
        const whole = clean(text, [text.length + 1]);
        expect(clean(text, lengths)).toEqual(whole);
        expect(clean(text, [1])).toEqual(whole);
      }),
      propertyRuns(1_500),
    );
  });

  it('safe markup leaves ordinary Markdown unchanged', () => {
    fc.assert(
      fc.property(ordinaryMarkdown, cuts, (text, lengths) => {
        expect(clean(text, lengths)).toEqual({
          out: text,
          cited: [],
          removed: { links: 0, images: 0, html: 0 },
        });
      }),
      propertyRuns(500),
    );
  });
});

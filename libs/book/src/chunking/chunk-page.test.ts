import { InvalidInput } from '@quire/shared/errors';
import { expect, it } from 'vitest';
import { pageOf } from '../../test/page-of.js';
import { chunkPage, embeddedText } from './index.js';

const chunksOf = (text: string) => chunkPage(pageOf(text)).chunks;

it('the embedded text starts with the heading path', () => {
  const chunks = chunksOf(
    '# QoS\n\nIntro to it.\n\n## Offers\n\nOne two three four.\n\n## Requests\n\nFive.',
  );
  expect(chunks.map(embeddedText)).toEqual([
    'QoS\n\nIntro to it.',
    'QoS > Offers\n\nOne two three four.',
    'QoS > Requests\n\nFive.',
  ]);
});

const idsOf = (text: string) => chunksOf(text).map(({ chunk_id: id }) => id);

it('a chunk id is a UUID that stays when text is inserted above', () => {
  const [before] = idsOf('## A\n\nThe same few words.\n\n## B\n\nText.');
  const [, after] = idsOf('## New\n\nMore.\n\n## A\n\nThe same few words.\n\n## B\n\nText.');
  expect(before).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(after).toBe(before);
});

it('a chunk id differs for the same text twice in one section', () => {
  const table = `| a |\n|---|\n${'| b |\n'.repeat(300)}`;
  expect(new Set(idsOf(`${table}\n\n${table}`)).size).toBe(2);
});

const anchorsOf = (text: string) => chunksOf(text).map(({ url, anchors }) => [new URL(url).hash, anchors]);

it('the anchors of a chunk are those of all its sections, each once', () => {
  const text = '## A\n\nOne two three.\n\n### B\n\nFour.\n\n### C {#see}\n\nFive.\n\n## D\n\nSix.';
  expect(anchorsOf(text)).toEqual([
    ['#a', ['a', 'b', 'see']],
    ['#d', undefined],
  ]);
});

it('the anchors of a chunk are absent when its address has the only one', () => {
  expect(anchorsOf(`## A\n\n${'One two three four. '.repeat(90)}`)).toEqual([
    ['#a', undefined],
    ['#a', undefined],
  ]);
});

const unstorable = '# A\u0000B\n\nFour words with \u0000 and \uD800 half, and a whole 🤖.';

it.each(['markdown', 'mdx', 'html'] as const)(
  'characters that no store accepts are replaced in %s without moving offsets',
  (format) => {
    const page = pageOf(format === 'html' ? `<p>${unstorable}</p>` : unstorable, { format });
    const { title, chunks } = chunkPage(page);
    expect(JSON.stringify({ title, chunks })).not.toMatch(/\\u0000|\\ud800/);
    expect(chunks[0]?.text).toContain('with \uFFFD and \uFFFD half, and a whole 🤖.');
    if (format !== 'html') expect(chunks[0]?.char_end).toBe(unstorable.length);
  },
);

it.each([
  ['an open tag', '# A\n\nText <Tabs> more\n', /not valid MDX: .*Tabs.* \(line \d+:\d+\)/],
  ['an open brace', 'Text {a\n', /not valid MDX: .*brace.* \(line \d+:\d+\)/],
  ['a broken import', 'import from\n', /not valid MDX: .*import.* \(line \d+:\d+\)/],
  ['broken front matter', '---\ntitle: "a\n---\n', /front matter is not valid YAML: .* \(line \d+:\d+\)/],
])('a page that cannot be parsed is refused with position and reason: %s', (_, text, reason) => {
  const chunk = () => chunkPage(pageOf(text, { format: 'mdx' }));
  expect(chunk).toThrow(InvalidInput);
  expect(chunk).toThrow(reason);
});

it.each([
  ['with three words', 'One two three.', 'stub'],
  ['with four words', 'One two three four.', undefined],
  ['with headings only', '# One two three\n\n## Four five six', 'stub'],
  ['with an image only', '![a long alternative text](a-b-c-d-e.png)', 'stub'],
  ['with comments only', '<!-- one two three four five -->', 'stub'],
  ['with words in code', '```\none two three four\n```', undefined],
  ['with raw HTML', '<p class="one two three four">One</p>', 'stub'],
  ['with a script that needs no spaces', '私は学生です。', undefined],
  ['with white space only', ' \n\n', 'stub'],
])('a page is recognized as a stub or not: %s', (_, text, skipped) => {
  expect(chunkPage(pageOf(text)).skipped).toBe(skipped);
});

it('a .md page of Docusaurus with only a comment of MDX is MDX', () => {
  const text = 'One two three.\n\n{/* left out */}\n\nFour five.';
  expect(chunksOf(text).map((chunk) => chunk.text)).toEqual(['One two three.\n\nFour five.']);
});

it.each([
  ['a rule', '***'],
  ['a link definition', '[x]: https://x.example'],
  ['a comment', '<!-- a note -->'],
])('%s between short paragraphs does not separate them', (_, noise) => {
  const paragraphs = Array.from({ length: 6 }, (__, index) => `A paragraph, number ${index}.`);
  const chunks = chunksOf(paragraphs.join(`\n\n${noise}\n\n`));
  expect(chunks.map(({ text }) => text)).toEqual([paragraphs.join('\n\n')]);
});

it('a comment does not cut a sentence', () => {
  const source = 'The limit <!-- x --> of the cache is <!-- y -->512 entries, not<!-- z -->ably.';
  expect(chunksOf(source)).toMatchObject([
    { text: 'The limit of the cache is 512 entries, notably.', char_start: 0, char_end: source.length },
  ]);
});

it.each([
  ['before another of its level', '## Zeta is deprecated\n\n## Other\n\nOne two three four.'],
  ['before one of a higher level', '### Zeta is deprecated\n\n## Other\n\nOne two three four.'],
  ['at the end', '## Other\n\nOne two three four.\n\n## Zeta is deprecated'],
  ['twice', '## Other\n\nOne two three four.\n\n## Zeta\n\n### is deprecated'],
])('a heading without text below it is part of a chunk: %s', (_, text) => {
  const found = chunksOf(text).map(embeddedText).join('\n');
  expect(found).toMatch(/Zeta[^]*is deprecated/);
});

it('a heading without text below it joins the section before if both fit into one chunk', () => {
  const text = '## A\n\nOne two three four.\n\n### Zeta\n\n## B\n\nFive.';
  expect(chunksOf(text).map((chunk) => chunk.text)).toEqual(['One two three four.\n\n### Zeta', 'Five.']);
});

it('a heading without text below it has no chunk of its own when one below it has text', () => {
  const text = '## A\n\n### B\n\nOne two three four.';
  expect(chunksOf(text).map((chunk) => chunk.text)).toEqual(['One two three four.']);
});

it('the title of an SVG is not the title of the page', () => {
  const text = '<p>One two three four</p><svg><title>Logo</title></svg>';
  expect(chunkPage(pageOf(text, { format: 'html' })).title).toBe('qos');
});

it('the title of the front matter wins over the first H1, unless it is empty', () => {
  const titleOf = (text: string) => chunkPage(pageOf(text)).title;
  expect(titleOf('---\ntitle: Given\n---\n# Heading')).toBe('Given');
  expect(titleOf('---\ntitle: ""\n---\n# Heading')).toBe('Heading');
  expect(titleOf('Prose\n\n# The `QoS` *page* {#qos}')).toBe('The QoS page');
  expect(titleOf('## Section')).toBe('qos');
});

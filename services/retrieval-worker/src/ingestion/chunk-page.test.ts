import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chunkSchema } from '@quire/shared/contracts';
import { describe, expect, test } from 'vitest';
import { chunkPage, embeddedText } from './chunk-page.js';
import { TARGET_CHARACTERS } from './pack-blocks.js';
import { parsePage } from './parse-page.js';

const chunksOf = (markdown: string, path = 'ros2/qos.md') =>
  chunkPage(parsePage({ path, base_url: 'https://book.example/docs', markdown }));
const textsOf = (markdown: string) => chunksOf(markdown).map(({ text }) => text);
const sentences = (count: number) =>
  Array.from({ length: count }, (_, i) => `This is sentence number ${i}.`).join(' ');

const bookFolder = new URL('../../../../books/physical-ai/docs/', import.meta.url);
const bookPages = readdirSync(bookFolder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
);

describe('chunks follow the headings', () => {
  const page =
    '---\ntitle: QoS\n---\n# QoS\n\nIntro.\n\n## Offers {#offer}\n\nOne.\n\nTwo.\n\n### Deadline\n\nThree.\n';

  test('a chunk never spans two sections and knows its place', () => {
    expect(chunksOf(page)).toMatchObject([
      { text: 'Intro.', section: 'QoS', url: 'https://book.example/docs/ros2/qos', chunk_index: 0 },
      {
        text: 'One.\n\nTwo.',
        section: 'Offers',
        url: 'https://book.example/docs/ros2/qos#offer',
        chunk_index: 1,
      },
      {
        text: 'Three.',
        section: 'Offers > Deadline',
        url: 'https://book.example/docs/ros2/qos#deadline',
        chunk_index: 2,
      },
    ]);
    for (const chunk of chunksOf(page))
      expect(chunk).toMatchObject({ title: 'QoS', chapter: 'QoS', module: 'ros2' });
  });

  test('the embedded text has the heading path in front', () => {
    expect(chunksOf(page).map(embeddedText)).toEqual([
      'QoS\n\nIntro.',
      'QoS > Offers\n\nOne.\n\nTwo.',
      'QoS > Offers > Deadline\n\nThree.',
    ]);
  });
});

describe('size', () => {
  test('paragraphs are packed up to the target and long ones cut after sentences', () => {
    const texts = textsOf(`${sentences(20)}\n\n${sentences(100)}`);
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(TARGET_CHARACTERS);
      expect(text).toMatch(/^This.*\.$/s);
    }
  });

  test.each([
    ['code block', `\`\`\`python\n${'x = 1\n'.repeat(300)}\`\`\``],
    ['table', `| a | b |\n|---|---|\n${'| one | two |\n'.repeat(150)}`.trim()],
  ])('a %s stays whole while it fits in twice the target', (_, block) => {
    expect(block.length).toBeGreaterThan(TARGET_CHARACTERS);
    expect(textsOf(`Before.\n\n${block}\n\nAfter.`)).toContain(block);
  });

  test('a larger code block is cut between lines', () => {
    const lines = Array.from({ length: 400 }, (_, i) => `value_${i} = ${i}`);
    const texts = textsOf(`\`\`\`\n${lines.join('\n')}\n\`\`\``);
    expect(texts.join('\n').split('\n').slice(1, -1)).toEqual(lines);
  });

  test('a long list is cut between its items', () => {
    const items = Array.from({ length: 60 }, (_, i) => `- ${i}: ${'word '.repeat(10).trim()}`);
    expect(textsOf(items.join('\n')).join('\n').split('\n')).toEqual(items);
  });
});

test('front matter, comments, rules and empty sections give no chunk', () => {
  expect(textsOf('---\ntitle: T\n---\n# T\n\n<!-- note -->\n\n## Empty\n\n---\n\n## Full\n\nText.')).toEqual([
    'Text.',
  ]);
});

test.each(bookPages)('offsets and hashes of %s hold for its source', (path) => {
  const markdown = readFileSync(new URL(path, bookFolder), 'utf8');
  for (const source of [markdown, markdown.replaceAll('\n', '\r\n')]) {
    const chunks = chunksOf(source, path);
    expect(chunks.length).toBeGreaterThan(0);
    for (const chunk of chunks) {
      expect(source.slice(chunk.char_start, chunk.char_end)).toBe(chunk.text);
      expect(chunk.content_hash).toBe(createHash('sha256').update(chunk.text).digest('hex'));
      expect(chunkSchema.parse(chunk)).toEqual(chunk);
    }
  }
});

describe('a chunk id', () => {
  const idsOf = (markdown: string) => chunksOf(markdown).map(({ chunk_id: id }) => id);

  test('is a UUID that stays when text is inserted above', () => {
    const [before] = idsOf('## A\n\nSame.');
    const [, after] = idsOf('## New\n\nMore.\n\n## A\n\nSame.');
    expect(before).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(after).toBe(before);
  });

  test('differs for the same text twice in one section', () => {
    const table = `| a |\n|---|\n${'| b |\n'.repeat(300)}`;
    expect(new Set(idsOf(`${table}\n\n${table}`)).size).toBe(2);
  });
});

import { InvalidInput } from '@quire/shared/errors';
import { describe, expect, test } from 'vitest';
import { readFrontMatter } from './front-matter.js';

test.each([
  ['yaml', 'title: A\nslug: /a\nid: b\nsidebar_position: 3\ndraft: true\nother: [1]'],
  ['toml', 'title = "A"\nslug = "/a"\nid = "b"\nsidebar_position = 3\ndraft = true\nother = [1]'],
] as const)('%s gives title, address, position and draft, and allows other keys', (language, source) => {
  expect(readFrontMatter(language, source, 'docusaurus')).toEqual({
    title: 'A',
    slug: '/a',
    id: 'b',
    sidebarPosition: 3,
    isDraft: true,
  });
});

test('empty keys and an empty front matter say nothing', () => {
  const nothing = { title: undefined, slug: undefined, isDraft: false };
  expect(readFrontMatter('yaml', 'title:\nslug:', 'plain')).toMatchObject(nothing);
  expect(readFrontMatter('yaml', '', 'docusaurus')).toMatchObject(nothing);
  expect(readFrontMatter('toml', '', 'docusaurus')).toMatchObject(nothing);
});

test.each([
  ['title: 2024', { title: '2024' }],
  ['slug: 2024', { slug: '2024' }],
  ['sidebar_position: "2.5"', { sidebarPosition: 2.5 }],
  ['draft: "true"', { isDraft: true }],
  ['draft: "False"', { isDraft: false }],
])('what Docusaurus converts is converted: %s', (source, expected) => {
  expect(readFrontMatter('yaml', source, 'docusaurus')).toMatchObject(expected);
  expect(readFrontMatter('yaml', source, 'plain')).toMatchObject(expected);
});

describe('outside of Docusaurus', () => {
  test.each(['mdbook', 'plain'] as const)('a field that makes no sense is ignored (%s)', (layout) => {
    const source = 'title: [a]\nslug: {}\nid: [b]\nsidebar_position: first\ndraft: perhaps';
    expect(readFrontMatter('yaml', source, layout)).toEqual({ isDraft: false });
    expect(readFrontMatter('yaml', 'title: A\nslug: []', layout)).toMatchObject({ title: 'A' });
  });

  test.each([
    ['Prose between two rules.', undefined],
    ['\nSay "hello: this" is: fine.\n', undefined],
    ['- a\n- b', undefined],
  ])('what is no mapping is none: %j', (source, expected) => {
    expect(readFrontMatter('yaml', source, 'plain')).toBe(expected);
  });

  test('what begins with a key is, and must be valid', () => {
    expect(() => readFrontMatter('yaml', 'title: "open', 'plain')).toThrow(/not valid YAML/);
  });
});

test('no escape smuggles in what a store refuses', () => {
  expect(readFrontMatter('yaml', String.raw`title: "a\0b"`, 'plain')?.title).toBe('a\uFFFDb');
});

describe('is refused with the reason', () => {
  test.each([
    ['yaml', 'title: ok\nslug: "open', /not valid YAML: .*\(line 3:\d+\)/],
    ['yaml', 'title: a\ntitle: b', /not valid YAML: .*unique \(line 3:1\)/],
    ['toml', 'title = "A"\nslug = ', /not valid TOML: .*\(line 3:\d+\)/],
    ['yaml', 'title: [a]', /front matter is not valid: title: /],
    ['yaml', 'slug: [3]', /front matter is not valid: slug: /],
    ['yaml', 'sidebar_position: ""', /front matter is not valid: sidebar_position: /],
    ['yaml', 'draft: "yes"\nsidebar_position: first', /sidebar_position: .*; draft: /],
    ['yaml', '- a\n- b', /front matter is not valid: .*object/],
  ] as const)('%s %j', (language, source, reason) => {
    expect(() => readFrontMatter(language, source, 'docusaurus')).toThrow(InvalidInput);
    expect(() => readFrontMatter(language, source, 'docusaurus')).toThrow(reason);
  });
});

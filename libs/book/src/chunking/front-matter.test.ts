import { InvalidInput } from '@quire/shared/errors';
import { expect, it } from 'vitest';
import { readFrontMatter } from './front-matter.js';

it.each([
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

it('empty keys and an empty front matter set nothing', () => {
  const nothing = { title: undefined, slug: undefined, isDraft: false };
  expect(readFrontMatter('yaml', 'title:\nslug:', 'plain')).toMatchObject(nothing);
  expect(readFrontMatter('yaml', '', 'docusaurus')).toMatchObject(nothing);
  expect(readFrontMatter('toml', '', 'docusaurus')).toMatchObject(nothing);
});

it.each([
  ['title: 2024', { title: '2024' }],
  ['slug: 2024', { slug: '2024' }],
  ['sidebar_position: "2.5"', { sidebarPosition: 2.5 }],
  ['draft: "true"', { isDraft: true }],
  ['draft: "False"', { isDraft: false }],
])('front matter is converted as in Docusaurus: %s', (source, expected) => {
  expect(readFrontMatter('yaml', source, 'docusaurus')).toMatchObject(expected);
  expect(readFrontMatter('yaml', source, 'plain')).toMatchObject(expected);
});

it.each(['mdbook', 'plain'] as const)(
  'an invalid field of front matter is ignored outside of Docusaurus (%s)',
  (layout) => {
    const source = 'title: [a]\nslug: {}\nid: [b]\nsidebar_position: first\ndraft: perhaps';
    expect(readFrontMatter('yaml', source, layout)).toEqual({ isDraft: false });
    expect(readFrontMatter('yaml', 'title: A\nslug: []', layout)).toMatchObject({ title: 'A' });
  },
);

it.each([
  ['Prose between two rules.', undefined],
  ['\nSay "hello: this" is: fine.\n', undefined],
  ['- a\n- b', undefined],
])(
  'text between delimiters that is no mapping is not front matter outside of Docusaurus: %j',
  (source, expected) => {
    expect(readFrontMatter('yaml', source, 'plain')).toBe(expected);
  },
);

it('text between delimiters that starts with a key is front matter and must be valid outside of Docusaurus', () => {
  expect(() => readFrontMatter('yaml', 'title: "open', 'plain')).toThrow(/not valid YAML/);
});

it('escapes in front matter cannot produce characters that a store refuses', () => {
  expect(readFrontMatter('yaml', String.raw`title: "a\0b"`, 'plain')?.title).toBe('a\uFFFDb');
});

it.each([
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

import { InvalidInput } from '@quire/shared/errors';
import { describe, expect, test } from 'vitest';
import { parsePage } from './parse-page.js';

const parse = (markdown: string, path = 'ros2/qos.md') =>
  parsePage({ path, base_url: 'https://book.example/docs', markdown });

const outline = (markdown: string) =>
  parse(markdown).sections.map(({ path, anchor }) => ({ path: path.join(' > '), anchor }));

describe('the title', () => {
  test.each([
    ['of the front matter comes first', '---\ntitle: "QoS: a guide"\n---\n# Heading', 'QoS: a guide'],
    ['is the first top heading otherwise', 'Prose\n\n# The `QoS` *page* {#qos}', 'The QoS page'],
    ['is the file name in the end', '## Section', 'qos'],
    ['may be a number', '---\ntitle: 2024\n---', '2024'],
    ['is not there when the front matter leaves it empty', '---\ntitle:\n---\n# Heading', 'Heading'],
  ])('%s', (_, markdown, title) => {
    expect(parse(markdown).title).toBe(title);
  });
});

test('slug and position are read from the front matter', () => {
  expect(parse('---\nslug: /start\nsidebar_position: 3\n---')).toMatchObject({
    url: 'https://book.example/docs/start',
    sidebarPosition: 3,
    module: 'ros2',
  });
});

test.each([
  ['broken YAML', '---\ntitle: "open\n---\n', /not valid YAML/],
  ['a list as title', '---\ntitle: [a]\n---\n', /front matter is not valid: title/],
])('%s is refused with the reason', (_, markdown, reason) => {
  expect(() => parse(markdown)).toThrow(InvalidInput);
  expect(() => parse(markdown)).toThrow(reason);
});

test('sections follow the heading tree without repeating the page title', () => {
  expect(outline('intro\n\n# Page\n\n## A\n\n### A1\n\n## B\n\n#### B deep')).toEqual([
    { path: '', anchor: undefined },
    { path: '', anchor: undefined },
    { path: 'A', anchor: 'a' },
    { path: 'A > A1', anchor: 'a1' },
    { path: 'B', anchor: 'b' },
    { path: 'B > B deep', anchor: 'b-deep' },
  ]);
});

test('anchors are those of the rendered site: repeated, explicit, with code and colons', () => {
  expect(
    outline('# T\n\n## Setup\n\n## Setup\n\n## Offers {#offer}\n\n## `ros2:humble` & more').map(
      ({ anchor }) => anchor,
    ),
  ).toEqual([undefined, undefined, 'setup', 'setup-1', 'offer', 'ros2humble--more']);
});

test('a heading inside an admonition or a code block opens no section', () => {
  expect(outline('# T\n\n:::tip\n## Not here\n:::\n\n```md\n## Nor here\n```')).toHaveLength(2);
});

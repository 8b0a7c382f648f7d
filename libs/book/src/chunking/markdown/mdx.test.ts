import { expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.js';

const typesOf = (text: string) => parseMarkdown(text, 'mdx', 'plain').children.map(({ type }) => type);

it.each([
  ['imports', "import A from 'a';\nimport { B } from 'b';\n\ntext", ['mdxjsEsm', 'paragraph']],
  ['an export with blank lines', 'export const a = {\n\n  b: 1,\n\n};\n\ntext', ['mdxjsEsm', 'paragraph']],
  [
    'an export with JSX and blank lines',
    "export const A = () => (\n  <p>\n\n    don't\n\n  </p>\n);\n\ntext",
    ['mdxjsEsm', 'paragraph'],
  ],
  [
    'JSX in an export after an import',
    "import B from 'b';\n\nexport default function A() {\n  return <B x={1} />;\n}\n\ntext",
    ['mdxjsEsm', 'mdxjsEsm', 'paragraph'],
  ],
  [
    'an export whose text has a lone bracket',
    'export const Smile = () => <p>All good :)</p>;\n\ntext',
    ['mdxjsEsm', 'paragraph'],
  ],
  [
    'an export whose text has more closing brackets than opening ones',
    'export const X = () => (\n<ul><li>a) first</li><li>b) second</li></ul>\n);\n\ntext',
    ['mdxjsEsm', 'paragraph'],
  ],
  ['a comment of HTML', 'a\n\n<!-- { -->\n\nb', ['paragraph', 'html', 'paragraph']],
  ['a comment of HTML over blank lines', '<!-- a\n\nb -->\n\nc', ['html', 'paragraph']],
  ['an indented comment', '    <!-- a -->\n\nc', ['html', 'paragraph']],
  ['a component, then a comment', '<A />\n\n<!-- b -->', ['mdxJsxFlowElement', 'html']],
  ['an expression', '{a}\n\nb', ['mdxFlowExpression', 'paragraph']],
])('MDX is parsed: %s', (_, text, types) => {
  expect(typesOf(text)).toEqual(types);
});

it.each([
  ['prose that begins as an export', 'export data < and more\n'],
  ['an export that never ends', 'export const A = () => (\n  <p>\n\ntext'],
])('%s is not MDX', (_, text) => {
  expect(() => typesOf(text)).toThrow(/not valid MDX: Could not parse import\/exports/);
});

import { expect, it } from 'vitest';
import { gatherDetails } from './html-details.js';
import { parseMarkdown } from './parse-markdown.js';

const gathered = (text: string) => {
  const root = parseMarkdown(text, 'markdown', 'plain');
  gatherDetails(root);
  return root.children.map((node) =>
    node.type === 'detailsElement' ? `details ${node.summary}` : node.type,
  );
};

it.each([
  ['a fold', '<details>\n<summary>A</summary>\n\ntext\n\n</details>\n\ntext', ['details A', 'paragraph']],
  ['a fold without blank lines', '<details><summary>A</summary>text</details>', ['details A']],
  [
    'folds in a fold',
    '<details>\n\n<details>\n<summary>In</summary>\n\ntext\n\n</details>\n\n</details>\n\nafter',
    ['details In', 'paragraph'],
  ],
  [
    'each of two folds',
    '<details><summary>A</summary>\n\na\n\n</details>\n<details><summary>B</summary>\n\nb\n\n</details>',
    ['details A', 'details B'],
  ],
  ['a fold left open', 'a\n\n<details>\n\nb', ['paragraph', 'html', 'paragraph']],
  ['a lone closing tag', 'a\n\n</details>\n\nb', ['paragraph', 'html', 'paragraph']],
  ['the word details', '<p>details</p>\n\nb', ['html', 'paragraph']],
])('folds are wrapped in nodes: %s', (_, text, nodes) => {
  expect(gathered(text)).toEqual(nodes);
});

it('thousands of unclosed folds are left as they are', () => {
  expect(gathered('<details>\n\n'.repeat(2000))).toHaveLength(2000);
});

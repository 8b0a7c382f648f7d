import { expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.js';
import { parseInSegments } from './parse-in-segments.js';

const whole = (text: string) => parseMarkdown(text, 'markdown', 'plain');
const filler = (from: string) => `${`Some words of ${from}.\n\n- item\n- item\n\n`.repeat(500)}\n`;
const outline = (text: string) =>
  parseMarkdown(text, 'markdown', 'plain')
    .children.filter(({ type }) => type !== 'paragraph' && type !== 'list')
    .map((node) => {
      const { start, end } = node.position ?? {};
      return `${node.type} ${text.slice(start?.offset, end?.offset).slice(0, 12)}`;
    });

it.each([
  ['a heading far below', `${filler('a')}# Here\n\ntext`, ['heading # Here']],
  [
    'a fence with what looks like blocks',
    `\`\`\`\n${filler('a')}\`\`\`\n\n# Here`,
    ['code ```\nSome wor', 'heading # Here'],
  ],
  [
    'a comment',
    `${filler('a')}<!--\n${filler('b')}\n-->\n\n# Here`,
    ['html <!--\nSome wo', 'heading # Here'],
  ],
  [
    'a directive',
    `:::note\n\n${filler('a')}\n:::\n\n# Here`,
    ['containerDirective :::note\n\nSom', 'heading # Here'],
  ],
  [
    'front matter only at the start',
    `${filler('a')}\n\ntext\n\n---\n\na: b\n\n---\n`,
    ['thematicBreak ---', 'thematicBreak ---'],
  ],
  [
    'rules where a segment ends, which are no front matter',
    `${filler('a')}---\n\n# Here\n\n---\n`,
    ['thematicBreak ---', 'heading # Here', 'thematicBreak ---'],
  ],
])('a long page is parsed in segments as it would be at once: %s', (_, text, nodes) => {
  expect(text.length).toBeGreaterThan(16_000);
  expect(outline(text)).toEqual(nodes);
});

it('a long page that is parsed in segments has the same blocks at the same offsets', () => {
  const text = filler('a') + filler('b');
  const one = parseInSegments(whole, text).children;
  expect(one).toHaveLength(2000);
  expect(
    one.map(({ position }) => text.slice(position?.start.offset, position?.end.offset).slice(0, 6)),
  ).toEqual(Array.from({ length: 2000 }, (_value, index) => (index % 2 === 0 ? 'Some w' : '- item')));
});

it('a link in a long page is resolved by a definition at its other end', () => {
  const last = whole(`${filler('a')}# See [here][x]\n\n${filler('b')}\n\n[x]: https://x.example\n`).children;
  const heading = last.find(({ type }) => type === 'heading');
  expect(heading).toMatchObject({ children: [{ type: 'text' }, { type: 'linkReference' }] });
  expect(last.filter(({ type }) => type === 'definition')).toHaveLength(1);
});

it('a long page inside one component is parsed at once', () => {
  const text = `<div>\n\n${filler('a')}\n\n</div>\n\nEnd.`;
  expect(parseMarkdown(text, 'mdx', 'plain').children.map(({ type }) => type)).toEqual([
    'mdxJsxFlowElement',
    'paragraph',
  ]);
});

it('a problem in a long page is reported with its line in the page', () => {
  expect(() => parseMarkdown(`${filler('a')}Text {open`, 'mdx', 'plain')).toThrow(
    /brace.* \(line 2502:\d+\)/,
  );
  expect(() => parseMarkdown(`${filler('a')}${'*a_'.repeat(5000)}`, 'markdown', 'plain')).toThrow(
    /line 2502:/,
  );
});

import { describe, expect, test } from 'vitest';
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

describe('a long page is read in segments as it would be in one', () => {
  test.each([
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
  ])('%s', (_, text, nodes) => {
    expect(text.length).toBeGreaterThan(16_000);
    expect(outline(text)).toEqual(nodes);
  });

  test('blocks are the same, and where they were', () => {
    const text = filler('a') + filler('b');
    const one = parseInSegments(whole, text).children;
    expect(one).toHaveLength(2000);
    expect(
      one.map(({ position }) => text.slice(position?.start.offset, position?.end.offset).slice(0, 6)),
    ).toEqual(Array.from({ length: 2000 }, (_value, index) => (index % 2 === 0 ? 'Some w' : '- item')));
  });

  test('a link knows its definition at the other end', () => {
    const last = whole(
      `${filler('a')}# See [here][x]\n\n${filler('b')}\n\n[x]: https://x.example\n`,
    ).children;
    const heading = last.find(({ type }) => type === 'heading');
    expect(heading).toMatchObject({ children: [{ type: 'text' }, { type: 'linkReference' }] });
    expect(last.filter(({ type }) => type === 'definition')).toHaveLength(1);
  });

  test('a component around everything is read in one', () => {
    const text = `<div>\n\n${filler('a')}\n\n</div>\n\nEnd.`;
    expect(parseMarkdown(text, 'mdx', 'plain').children.map(({ type }) => type)).toEqual([
      'mdxJsxFlowElement',
      'paragraph',
    ]);
  });

  test('a problem is reported with its line in the page', () => {
    expect(() => parseMarkdown(`${filler('a')}Text {open`, 'mdx', 'plain')).toThrow(
      /brace.* \(line 2502:\d+\)/,
    );
    expect(() => parseMarkdown(`${filler('a')}${'*a_'.repeat(5000)}`, 'markdown', 'plain')).toThrow(
      /line 2502:/,
    );
  });
});

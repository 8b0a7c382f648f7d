import fc from 'fast-check';
import { NumberedWords } from './numbered-words.js';

export type Block =
  | { kind: 'paragraph' | 'quote' | 'code' | 'footnote' | 'html'; size: number }
  | { kind: 'list'; ordered: boolean; items: { size: number; nested: number }[] }
  | { kind: 'table'; rows: number }
  | { kind: 'heading'; depth: number; setext: boolean }
  | { kind: 'comment' | 'rule' | 'definition' | 'element' | 'expression' }
  | { kind: 'admonition' | 'details'; titled: boolean; inside: Block[] }
  | { kind: 'tabs'; tabs: Block[][] };

export interface MarkdownPage {
  text: string;
  format: 'markdown' | 'mdx';
  words: NumberedWords;
}

const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 700 }) },
);
const leaf: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constantFrom('paragraph', 'paragraph', 'quote', 'code', 'footnote', 'html'), size }),
  fc.record({
    kind: fc.constant('list'),
    ordered: fc.boolean(),
    items: fc.array(fc.record({ size, nested: fc.integer({ min: 0, max: 3 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
  fc.record({ kind: fc.constant('table'), rows: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constantFrom('comment', 'rule', 'definition', 'element', 'expression') }),
);
const inside = fc.array(leaf, { minLength: 1, maxLength: 4 });
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  { weight: 5, arbitrary: leaf },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('heading'),
      depth: fc.integer({ min: 2, max: 6 }),
      setext: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('admonition', 'details'), titled: fc.boolean(), inside }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tabs'),
      tabs: fc.array(inside, { minLength: 1, maxLength: 3 }),
    }),
  },
);

/** Pages with a title and at least two H2, so that the H2 are the top level. */
export const markdownPages: fc.Arbitrary<MarkdownPage> = fc
  .record({
    blocks: fc.array(anyBlock, { maxLength: 16 }),
    format: fc.constantFrom('markdown', 'mdx'),
    crlf: fc.boolean(),
  })
  .map(({ blocks, format, crlf }) => {
    const words = new NumberedWords();
    const render = renderer(words, format);
    const title = `---\ntitle: "Page ${words.noiseWord()}"\n---\n\n# Page\n\n${words.text(10)}`;
    const ends = ['## End\n\nThe end.', '## Second end\n\nThe end.'];
    const text = [title, ...blocks.map(render), ...ends].join('\n\n');
    return { text: crlf ? text.replaceAll('\n', '\r\n') : text, format, words };
  });

function renderer(words: NumberedWords, format: 'markdown' | 'mdx'): (block: Block) => string {
  const isMdx = format === 'mdx';
  const comment = () => {
    const word = words.noiseWord();
    return words.hole(isMdx && word.length % 2 === 0 ? `{/* ${word} */}` : `<!-- ${word} -->`);
  };
  const render = (block: Block): string => {
    switch (block.kind) {
      case 'paragraph':
        return `${words.text(block.size)} ${comment()} <kbd>${words.text(1)}</kbd> [${words.text(2)}](https://x.example/a_b) \`${words.text(1)}\``;
      case 'quote':
        return `> [!NOTE]\n> ${words.text(block.size)}\n>\n> ${words.text(3)}`;
      case 'code':
        return `\`\`\`js\n${lines(block.size, () => `  ${words.text(4)}`)}\n\`\`\``;
      case 'footnote':
        return `[^n${words.prose.length}]: ${words.text(block.size)}`;
      case 'html':
        return `<div>\n<p>${words.text(Math.min(block.size, 20))}</p>\n</div>`;
      case 'list':
        return block.items
          .map((item, index) => {
            const marker = block.ordered ? `${index + 1}.` : '-';
            const indent = ' '.repeat(marker.length + 1);
            const nested = Array.from({ length: item.nested }, () => `\n${indent}- ${words.text(5)}`);
            const remark = item.nested === 2 ? `\n\n${indent}${comment()}` : '';
            return `${marker} ${words.text(item.size)}${nested.join('')}${remark}`;
          })
          .join('\n');
      case 'table':
        return `| a | b |\n|---|---|\n${lines(block.rows, () => `| ${words.text(3)} | ${words.text(2)} |`)}`;
      case 'heading':
        return block.setext && block.depth === 2
          ? `${words.heading(2)}\n---`
          : `${'#'.repeat(block.depth)} ${words.heading(block.depth)}`;
      case 'comment':
        return comment();
      case 'rule':
        return words.hole('***');
      case 'definition':
        return words.hole(`[${words.noiseWord()}]: https://x.example`);
      case 'element':
        return words.hole(
          isMdx ? `<Chart name="${words.noiseWord()}" />` : `<img alt="${words.noiseWord()}">`,
        );
      case 'expression':
        return isMdx ? words.hole(`{${words.noiseWord()}}`) : comment();
      case 'admonition':
        return `::::note${block.titled ? ` ${words.text(2)}` : ''}\n\n${all(block.inside)}\n\n::::`;
      case 'details':
        return `<details>\n<summary>${words.text(2)}</summary>\n\n${all(block.inside)}\n\n</details>`;
      case 'tabs':
        return isMdx
          ? `<Tabs>\n${block.tabs.map((tab, index) => `<TabItem label="Tab ${index}">\n\n${all(tab)}\n\n</TabItem>`).join('\n')}\n</Tabs>`
          : all(block.tabs.flat());
    }
  };
  const all = (blocks: readonly Block[]) => blocks.map(render).join('\n\n');
  return render;
}

function lines(count: number, line: () => string): string {
  return Array.from({ length: count }, line).join('\n');
}

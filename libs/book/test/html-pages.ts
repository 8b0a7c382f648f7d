import fc from 'fast-check';
import { NumberedWords } from './numbered-words.js';

type Block =
  | { kind: 'paragraph' | 'code' | 'line' | 'quote'; size: number }
  | { kind: 'list'; items: { size: number; nested: number }[] }
  | { kind: 'table'; rows: number }
  | { kind: 'heading'; depth: number }
  | { kind: 'comment' | 'nav' | 'script' | 'hidden' | 'button' }
  | { kind: 'div' | 'details'; inside: Block[] };

export interface HtmlPage {
  text: string;
  words: NumberedWords;
}

const size = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 600 }) },
);
const leaf: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constantFrom('paragraph', 'paragraph', 'code', 'line', 'quote'), size }),
  fc.record({
    kind: fc.constant('list'),
    items: fc.array(fc.record({ size, nested: fc.integer({ min: 0, max: 3 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
  fc.record({ kind: fc.constant('table'), rows: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ kind: fc.constantFrom('comment', 'nav', 'script', 'hidden', 'button') }),
);
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  { weight: 5, arbitrary: leaf },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('heading'), depth: fc.integer({ min: 2, max: 6 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('div', 'details'),
      inside: fc.array(leaf, { minLength: 1, maxLength: 4 }),
    }),
  },
);

export const htmlPages: fc.Arbitrary<HtmlPage> = fc
  .record({ blocks: fc.array(anyBlock, { maxLength: 16 }), crlf: fc.boolean() })
  .map(({ blocks, crlf }) => {
    const words = new NumberedWords();
    const intro = words.text(10);
    const text = `<!doctype html>
<html><head><title>${words.noiseWord()}</title></head>
<body><header>${words.noiseWord()}</header>
<main><h1>Page</h1>
<p>${intro}</p>
${blocks.map(renderer(words)).join('\n')}
<h2 id="end">End</h2><p>The end.</p><h2 id="second">Second end</h2><p>The end.</p>
</main><footer>${words.noiseWord()}</footer></body></html>`;
    return { text: crlf ? text.replaceAll('\n', '\r\n') : text, words };
  });

function renderer(words: NumberedWords): (block: Block) => string {
  const inline = (count: number) =>
    words
      .text(count)
      .split(' ')
      .map((word, index) => decorated(word, index, words))
      .join(' ');
  const render = (block: Block): string => {
    switch (block.kind) {
      case 'paragraph':
        return `<p>${inline(block.size)}</p>`;
      case 'code':
        return `<pre><code>\n${lines(block.size, () => `  ${inline(4)}`)}\n</code></pre>`;
      case 'line':
        return inline(block.size);
      case 'quote':
        return `<blockquote><p>${inline(block.size)}</p><p>${inline(2)}</p></blockquote>`;
      case 'list': {
        const nested = (count: number) => `<ul>${lines(count, () => `<li>${inline(4)}</li>`)}</ul>`;
        const items = block.items.map((item) => `<li>${inline(item.size)}${nested(item.nested)}</li>`);
        return `<ol>\n${items.join('\n')}\n</ol>`;
      }
      case 'table':
        return `<table><tbody>\n${lines(block.rows, () => `<tr><td>${inline(3)}</td>\n<td>${inline(2)}</td></tr>`)}\n</tbody></table>`;
      case 'heading':
        return `<h${block.depth} id="x">${words.heading(block.depth)}<a class="hash-link" href="#x">#</a></h${block.depth}>`;
      case 'comment':
        return `<!-- ${words.noiseWord()} -->`;
      case 'nav':
        return `<nav><p>${words.noiseWord()}</p></nav>`;
      case 'script':
        return `<script>${words.noiseWord()}</script>`;
      case 'hidden':
        return `<div hidden><p>${words.noiseWord()}</p></div>`;
      case 'button':
        return `<button>${words.noiseWord()}</button>`;
      case 'div':
        return `<div class="x">${block.inside.map(render).join('\n')}</div>`;
      case 'details':
        return `<details><summary>${inline(2)}</summary>${block.inside.map(render).join('\n')}</details>`;
    }
  };
  return render;
}

/** References, tags, line ends and hidden parts within the text. */
function decorated(word: string, index: number, words: NumberedWords): string {
  if (index % 11 === 3) return `<em>${word} &amp;</em>`;
  if (index % 11 === 5) return `${word}&nbsp;&lt;b&gt;&eacute;`;
  if (index % 11 === 7) return `<a href="?a=1&b">${word}</a>\n`;
  if (index % 17 === 8) return `${word}<span aria-hidden="true">${words.noiseWord()}</span>`;
  if (index % 17 === 9) return `${word}</b>`;
  return word;
}

function lines(count: number, line: () => string): string {
  return Array.from({ length: count }, line).join('\n');
}

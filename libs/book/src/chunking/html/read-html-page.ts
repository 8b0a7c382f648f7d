import type { FrontMatter } from '../front-matter.js';
import type { Outline, OutlineEvent } from '../outline.js';
import { isStub } from '../words.js';
import { htmlOutline } from './html-outline.js';
import { contentOf, documentTitle, isUnlisted } from './page-content.js';
import { parseHtml } from './parse-html.js';

export function readHtmlPage(source: string): { outline: Outline; frontMatter: Partial<FrontMatter> } {
  const root = parseHtml(source);
  const { element, hasFrame } = contentOf(root);
  const events = inSourceOrder([...htmlOutline(source, element.children, hasFrame)]);
  const title = events.find((event) => event.type === 'heading' && event.depth === 1);
  const texts = events.map((event) => (event.type === 'piece' ? event.piece.text : ''));
  return {
    frontMatter: { isDraft: isUnlisted(root) },
    outline: {
      events,
      title: title?.type === 'heading' ? title.text : documentTitle(root),
      isStub: isStub(texts),
      textOf: (pieces) => pieces.map(({ text }) => text).join('\n\n'),
    },
  };
}

/** The parser moves misplaced elements, such as text within a table: pieces that then overlap are joined. */
function inSourceOrder(events: readonly OutlineEvent[]): OutlineEvent[] {
  const ordered: OutlineEvent[] = [];
  let last: { start: number; end: number; text: string } | undefined;
  for (const event of events) {
    if (event.type === 'piece' && last && event.piece.start < last.end) {
      last.start = Math.min(last.start, event.piece.start);
      last.end = Math.max(last.end, event.piece.end);
      last.text += `\n\n${event.piece.text}`;
    } else {
      ordered.push(event);
      if (event.type === 'piece') last = event.piece;
    }
  }
  return ordered;
}

import { toString } from 'mdast-util-to-string';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

export interface Chapter {
  /** As SUMMARY.md spells it, below the book's source folder. */
  link: string;
  /** The title of the part that the chapter is numbered in. */
  part: string | undefined;
}

const markdown = unified().use(remarkParse);

/** The chapters that SUMMARY.md publishes, in reading order, without drafts (empty links) and web links. */
export function readSummary(text: string): Chapter[] {
  const chapters = new Map<string, Chapter>();
  let part: string | undefined;
  for (const [position, node] of markdown.parse(text).children.entries()) {
    // The first heading is the table's own title.
    if (node.type === 'heading' && node.depth === 1 && position > 0) part = toString(node);
    visit(node, 'link', ({ url }) => {
      const link = url.replace(/#.*$/, '').replace(/^(\.\/)+/, '');
      if (link === '' || /^[a-z][a-z\d+.-]*:/i.test(link) || chapters.has(link)) return;
      // Chapters before and after the numbered ones belong to no part.
      chapters.set(link, { link, part: node.type === 'list' ? part : undefined });
    });
  }
  return [...chapters.values()];
}

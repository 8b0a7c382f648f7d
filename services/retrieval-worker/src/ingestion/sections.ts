import GithubSlugger from 'github-slugger';
import type { Heading, Root, RootContent } from 'mdast';
import { toString as plainText } from 'mdast-util-to-string';

/** What stands below one heading and above the next. */
export interface Section {
  /** Headings from the outermost to this one; the page's own title is not repeated. */
  path: string[];
  /** Of the heading, as the site renders it; the page title has none. */
  anchor: string | undefined;
  blocks: RootContent[];
}

const EXPLICIT_ID = /\s*\{#([^{}]+)\}\s*$/;

export function splitIntoSections(root: Root): Section[] {
  const slugger = new GithubSlugger();
  const open: { depth: number; text: string }[] = [];
  let current: Section = { path: [], anchor: undefined, blocks: [] };
  const sections = [current];
  for (const node of root.children) {
    if (node.type !== 'heading') {
      current.blocks.push(node);
      continue;
    }
    const { text, anchor } = readHeading(node, slugger);
    const isPageTitle = node.depth === 1 && sections.length === 1;
    while ((open.at(-1)?.depth ?? 0) >= node.depth) open.pop();
    if (!isPageTitle) open.push({ depth: node.depth, text });
    current = { path: open.map((heading) => heading.text), anchor, blocks: [] };
    sections.push(current);
  }
  return sections;
}

export function headingText(heading: Heading): string {
  return plainText(heading).replace(EXPLICIT_ID, '').trim();
}

function readHeading(heading: Heading, slugger: GithubSlugger): { text: string; anchor: string | undefined } {
  const text = headingText(heading);
  const explicit = EXPLICIT_ID.exec(plainText(heading))?.[1];
  const anchor = explicit ?? slugger.slug(text);
  return { text, anchor: heading.depth === 1 ? undefined : anchor };
}

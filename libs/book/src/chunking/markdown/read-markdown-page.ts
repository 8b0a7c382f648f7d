import type { SiteLayout } from '@quire/shared/contracts';
import type { Nodes, Root } from 'mdast';
import { readFrontMatter, type FrontMatter } from '../front-matter.js';
import type { Outline } from '../outline.js';
import { isStub } from '../words.js';
import { headingAnchors } from './heading-anchors.js';
import { findHoles } from './holes.js';
import { gatherDetails } from './html-details.js';
import { markdownOutline } from './markdown-outline.js';
import { isNoise, ownText } from './noise.js';
import { parseMarkdown } from './parse-markdown.js';
import { shownSource, shownText } from './shown-source.js';

interface ParsedPage {
  root: Root;
  frontMatter: Partial<FrontMatter>;
}

export function readMarkdownPage(
  source: string,
  format: 'markdown' | 'mdx',
  layout: SiteLayout,
): { outline: Outline; frontMatter: Partial<FrontMatter> } {
  const { root, frontMatter } = parsePage(source, format, layout);
  gatherDetails(root);
  const page = {
    ...shownSource(source, findHoles(root, source)),
    children: root.children,
    headings: headingAnchors(root, layout),
  };
  const events = [...markdownOutline(page)];
  const title = events.find((event) => event.type === 'heading' && event.depth === 1);
  return {
    frontMatter,
    outline: {
      events,
      title: title?.type === 'heading' ? title.text : undefined,
      isStub: isStub(proseOf(root)),
      textOf: (pieces) => shownText(page, { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 }),
    },
  };
}

function parsePage(source: string, format: 'markdown' | 'mdx', layout: SiteLayout): ParsedPage {
  const root = parseMarkdown(source, format, layout);
  const [first] = root.children;
  if (first?.type !== 'yaml' && first?.type !== 'toml') return { root, frontMatter: {} };
  const frontMatter = readFrontMatter(first.type, first.value, layout);
  if (frontMatter) return { root, frontMatter };
  // Another kind of rule means the same and keeps the offsets.
  return { root: parseMarkdown(source.replace(/^---/, '***'), format, layout), frontMatter: {} };
}

function* proseOf(node: Nodes): Generator<string, void> {
  if (node.type === 'heading' || isNoise(node)) return;
  yield ownText(node);
  if ('children' in node) for (const child of node.children) yield* proseOf(child);
}

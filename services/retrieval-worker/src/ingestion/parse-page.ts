import type { Page } from '@quire/shared/contracts';
import type { Root } from 'mdast';
import { readFrontMatter, type FrontMatter } from './front-matter.js';
import { moduleOf, pageUrl, withoutNumberPrefix } from './page-url.js';
import { parseMarkdown } from './parse-markdown.js';
import { headingText, splitIntoSections, type Section } from './sections.js';

export interface ParsedPage {
  url: string;
  title: string;
  module: string;
  sidebarPosition: number | undefined;
  /** What the offsets of blocks and chunks count in. */
  source: string;
  sections: Section[];
}

export function parsePage({ path, base_url: baseUrl, markdown }: Page): ParsedPage {
  const root = parseMarkdown(markdown);
  const frontMatter = frontMatterOf(root);
  return {
    url: pageUrl({ baseUrl, path, slug: frontMatter.slug, id: frontMatter.id }),
    title: frontMatter.title ?? firstTitle(root) ?? nameOf(path),
    module: moduleOf(path),
    sidebarPosition: frontMatter.sidebarPosition,
    source: markdown,
    sections: splitIntoSections(root),
  };
}

function frontMatterOf(root: Root): FrontMatter {
  const [first] = root.children;
  return readFrontMatter(first?.type === 'yaml' ? first.value : '');
}

function firstTitle(root: Root): string | undefined {
  for (const node of root.children) if (node.type === 'heading' && node.depth === 1) return headingText(node);
  return undefined;
}

function nameOf(path: string): string {
  const fileName = path.split('/').at(-1) ?? path;
  return withoutNumberPrefix(fileName.replace(/\.mdx?$/i, ''));
}

import type { Page } from '@quire/shared/contracts';
import type { Element, Root } from 'hast';
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { EXIT, SKIP, visit } from 'unist-util-visit';

const html = unified().use(rehypeParse);
const FURNITURE = new Set(['nav', 'header', 'footer', 'aside', 'script', 'style', 'template', 'svg']);

/** The lower-cased words of a page; its characters where the script has no spaces. */
export function pageWords({ format, text }: Page): string[] {
  const seen = format === 'html' ? htmlText(text) : withoutFrontMatter(text);
  return seen.toLowerCase().match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[\p{L}\p{N}]+/gu) ?? [];
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---[ \t]*\r?\n.*?\r?\n---[ \t]*(\r?\n|$)/s, '');
}

/** Without the parts that every page of a site repeats: they would make short pages similar. */
function htmlText(text: string): string {
  try {
    const content = mainContent(html.parse(text));
    removeFurniture(content);
    return toText(content);
  } catch (error) {
    // Thousands of nested elements exhaust the stack, which chunking the page reports.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function removeFurniture(content: Root | Element): void {
  visit(content, 'element', (node, index, parent) => {
    if (index === undefined || parent === undefined || !FURNITURE.has(node.tagName)) return undefined;
    parent.children.splice(index, 1);
    return [SKIP, index];
  });
}

function mainContent(root: Root): Root | Element {
  let main: Element | undefined;
  visit(root, 'element', (node) => {
    if (node.tagName !== 'main' && node.properties['role'] !== 'main') return undefined;
    main = node;
    return EXIT;
  });
  return main ?? root;
}

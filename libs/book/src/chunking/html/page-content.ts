import type { Element, Nodes, Root } from 'hast';
import { EXIT, SKIP, visit } from 'unist-util-visit';
import { isChrome } from './page-chrome.js';
import { lineText, renderedText } from './rendered-text.js';

export interface PageContent {
  element: Element | Root;
  /** A page without `main` and `article` has its header and footer among the text. */
  hasFrame: boolean;
}

/** The elements with the page's text: the article, else `main`, else the body. */
export function contentOf(root: Root): PageContent {
  const [main] = elementsWhere(root, isMain);
  const [article, ...others] = elementsWhere(main ?? root, isNamed('article'));
  // Several articles are parts of one page.
  const isPage = article && others.length === 0 && (!main || isMostOf(article, main));
  const element = isPage ? article : main;
  if (element) return { element, hasFrame: false };
  return { element: elementsWhere(root, isNamed('body'))[0] ?? root, hasFrame: true };
}

/** A shorter article is a teaser or a quotation. */
function isMostOf(article: Element, main: Element): boolean {
  if (elementsWhere(article, isNamed('h1')).length > 0) return true;
  return renderedText(article).length > renderedText(main).length / 2;
}

export function documentTitle(root: Root): string {
  let title = '';
  visit(root, 'element', (element) => {
    if (element.tagName === 'svg') return SKIP;
    if (element.tagName !== 'title') return undefined;
    title = lineText(...element.children);
    return EXIT;
  });
  return title;
}

/** Whether the page asks not to be indexed. */
export function isUnlisted(root: Root): boolean {
  let unlisted = false;
  visit(root, 'element', ({ tagName, properties: { name, content } }) => {
    if (tagName === 'meta' && /^robots$/i.test(String(name)))
      unlisted ||= /\b(?:noindex|none)\b/i.test(String(content));
  });
  return unlisted;
}

const isMain = ({ tagName, properties }: Element) => tagName === 'main' || properties.role === 'main';
const isNamed = (name: string) => (element: Element) => element.tagName === name;

/** The outermost elements with the tag. */
function elementsWhere(tree: Nodes, isWanted: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  visit(tree, 'element', (element) => {
    if (isChrome(element)) return SKIP;
    if (element === tree || !isWanted(element)) return undefined;
    found.push(element);
    return SKIP;
  });
  return found;
}

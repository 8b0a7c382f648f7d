import type { Root } from 'hast';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

const documentParser = unified().use(rehypeParse).freeze();
const fragmentParser = unified().use(rehypeParse, { fragment: true }).freeze();

export function parseHtml(source: string): Root {
  return documentParser.parse(source);
}

export function parseHtmlFragment(source: string): Root {
  return fragmentParser.parse(source);
}

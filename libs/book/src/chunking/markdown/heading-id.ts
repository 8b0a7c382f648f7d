import type { SiteLayout } from '@quire/shared/contracts';
import type { Heading, PhrasingContent } from 'mdast';
import { toString as plainText } from 'mdast-util-to-string';

export interface HeadingName {
  text: string;
  /** Set by the author; otherwise the site generates one from the text. */
  id: string | undefined;
}

const EXPRESSION_ID = /^\s*(?:\/\*\s*)?#([^\s{}]+?)\s*(?:\*\/)?\s*$/;
const COMMENT_ID = /^<!--\s*#(\S+?)\s*-->$/;
const TEXT_ID = /\s*\{#([^{}]+)\}\s*$/;
const ATTRIBUTES = /\s*\{([^{}]*)\}\s*$/;

/** Heading text without the site's syntax for an anchor. */
export function headingName(heading: Heading, layout: SiteLayout): HeadingName {
  const idNode = explicitIdNode(heading);
  const shown = heading.children.filter((child) => child !== idNode);
  const isMdbook = layout === 'mdbook';
  const options = { includeHtml: false, includeImageAlt: !isMdbook };
  const text = shown.map((child) => plainText(child, options)).join('');
  if (idNode !== undefined) return { text: text.trimEnd(), id: idIn(idNode) };
  if (!isMdbook) return textName(text);
  // Attributes are at the end of the line; inside code they are text.
  return shown.at(-1)?.type === 'text' ? attributeName(text) : { text, id: undefined };
}

/** The last part of a heading when it is an id: `{#id}` or a comment `#id`. */
export function explicitIdNode({ children }: Heading): PhrasingContent | undefined {
  const last = children.at(-1);
  return last && idIn(last) !== undefined ? last : undefined;
}

function idIn(node: PhrasingContent): string | undefined {
  if (node.type === 'mdxTextExpression') return EXPRESSION_ID.exec(node.value)?.[1];
  return node.type === 'html' ? COMMENT_ID.exec(node.value)?.[1] : undefined;
}

function textName(text: string): HeadingName {
  return { text: text.replace(TEXT_ID, ''), id: TEXT_ID.exec(text)?.[1] };
}

/** mdBook's `{#id .class key=value}`. */
function attributeName(text: string): HeadingName {
  const attributes = (ATTRIBUTES.exec(text)?.[1] ?? '').split(/\s+/).filter((attribute) => attribute !== '');
  const areAttributes = attributes.length > 0 && attributes.every((attribute) => /^[#.]|=/.test(attribute));
  if (!areAttributes) return { text, id: undefined };
  const id = attributes.find((attribute) => attribute.startsWith('#'))?.slice(1);
  return { text: text.replace(ATTRIBUTES, ''), id };
}

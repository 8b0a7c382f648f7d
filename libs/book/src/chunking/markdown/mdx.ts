import { Parser } from 'acorn';
import jsx from 'acorn-jsx';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { mdxExpression } from 'micromark-extension-mdx-expression';
import { mdxJsx } from 'micromark-extension-mdx-jsx';
import { mdxMd } from 'micromark-extension-mdx-md';
import { mdxjsEsm } from 'micromark-extension-mdxjs-esm';
import type { Language } from './language.js';
import { htmlComments } from './mdx-html-comments.js';

/**
 * MDX is read, never evaluated. Expressions are only matched brace by brace, so that Docusaurus's `{#heading-id}`
 * is one; where imports and exports end, only a JavaScript parser can tell.
 */
export function mdx(): Language {
  const imports = mdxjsEsm({
    acorn: Parser.extend(jsx()),
    acornOptions: { ecmaVersion: 'latest', sourceType: 'module' },
  });
  return {
    // The last one is tried first.
    syntax: [imports, mdxExpression(), mdxJsx(), mdxMd(), htmlComments()],
    tree: mdxFromMarkdown(),
  };
}

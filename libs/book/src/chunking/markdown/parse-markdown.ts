import type { SiteLayout } from '@quire/shared/contracts';
import type { Literal, Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified, type Processor } from 'unified';
import { invalidPage } from '../invalid-page.js';
import {
  containerDirectives,
  directivesNestTooDeeply,
  withoutDirectiveTitles,
} from './container-directives.js';
import type { Language } from './language.js';
import { mdx } from './mdx.js';
import { parseInSegments } from './parse-in-segments.js';
import { blockBudget } from './block-budget.js';
import { markBudget } from './mark-budget.js';
import { isSyntaxProblem } from './syntax-problem.js';

interface Toml extends Literal {
  type: 'toml';
}

declare module 'mdast' {
  interface RootContentMap {
    toml: Toml;
  }
}

const parsers = {
  markdown: parserOf(containerDirectives(), markBudget(), blockBudget()),
  mdx: parserOf(containerDirectives(), mdx(), markBudget(), blockBudget()),
  markdownWithoutDirectives: parserOf(markBudget(), blockBudget()),
  mdxWithoutDirectives: parserOf(mdx(), markBudget(), blockBudget()),
};

function parserOf(...languages: readonly Language[]) {
  function extend(this: Processor): void {
    const data = this.data();
    (data.micromarkExtensions ??= []).push(...languages.flatMap(({ syntax }) => syntax));
    (data.fromMarkdownExtensions ??= []).push(...languages.flatMap(({ tree }) => tree));
  }
  return unified()
    .use(remarkParse)
    .use(remarkFrontmatter, ['yaml', 'toml'])
    .use(remarkGfm)
    .use(extend)
    .freeze();
}

/** Signs of MDX in a page; a false hit leads to a second parse. */
const LOOKS_LIKE_MDX = /^(?:import|export)\s|<[A-Z]|\{\/\*/m;

export function parseMarkdown(source: string, format: 'markdown' | 'mdx', layout: SiteLayout): Root {
  if (format === 'markdown' && layout === 'docusaurus' && LOOKS_LIKE_MDX.test(source)) {
    try {
      return parseAs('mdx', source);
    } catch {
      return parseAs('markdown', source);
    }
  }
  return parseAs(format, source);
}

function parseAs(language: 'markdown' | 'mdx', source: string): Root {
  const parser = directivesNestTooDeeply(source)
    ? parsers[`${language}WithoutDirectives`]
    : parsers[language];
  try {
    return parseInSegments((text) => parser.parse(text), withoutDirectiveTitles(source));
  } catch (cause) {
    if (!isSyntaxProblem(cause)) throw cause;
    const problem = language === 'mdx' ? 'The page is not valid MDX' : 'The page cannot be read';
    throw invalidPage(`${problem}: ${cause.reason}`, { line: cause.line, column: cause.column }, cause);
  }
}

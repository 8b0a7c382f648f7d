import remarkDirective from 'remark-directive';
import { unified } from 'unified';
import type { Language } from './language.js';

const COLON = ':'.charCodeAt(0);

/** `:::` blocks alone are directives; `:name` and `::name` are prose (`ros2:humble`), as in Docusaurus. */
export function containerDirectives(): Language {
  const { micromarkExtensions: syntax = [], fromMarkdownExtensions: tree = [] } = unified()
    .use(remarkDirective)
    .freeze()
    .data();
  const containers = syntax.flat().map(({ flow }) => [flow?.[COLON] ?? []].flat().slice(0, 1));
  return { syntax: containers.map((container) => ({ flow: { [COLON]: container } })), tree: tree.flat() };
}

const OPENING = /^((?:[ \t]|>|[-*+][ \t]|\d+[.)][ \t])*)(:{3,})([A-Za-z][\w-]*)([ \t]+)(\S.*)$/gm;

/**
 * Replaces the titles that Docusaurus, not the directive syntax, allows after the name (`:::note Mind the gap`) by
 * spaces, which keeps the offsets.
 */
export function withoutDirectiveTitles(source: string): string {
  return source.replace(
    OPENING,
    (_, before: string, colons: string, name: string, gap: string, title: string) =>
      before + colons + name + gap + ' '.repeat(title.length),
  );
}

/** Whether the directive that starts here has such a title. */
export function hasDirectiveTitle(source: string, start: number): boolean {
  const lineEnd = source.indexOf('\n', start);
  const line = source.slice(start, lineEnd === -1 ? source.length : lineEnd).trimEnd();
  return withoutDirectiveTitles(line) !== line;
}

const FENCE = /^[ \t>]*(:{3,})([A-Za-z])?/gm;
const MOST_LEVELS = 50;
const MOST_PARSED_CHARACTERS = 2_000_000;

/** The parser reads the inside of a directive once per level: hundreds of unclosed ones take minutes. */
export function directivesNestTooDeeply(source: string): boolean {
  const open: { colons: number; start: number }[] = [];
  let parsedAgain = 0;
  const close = (from: number, end: number) => {
    for (const { start } of open.splice(from)) parsedAgain += end - start;
  };
  for (const { 1: fence = '', 2: name, index } of source.matchAll(FENCE)) {
    if (name !== undefined) open.push({ colons: fence.length, start: index });
    else close(outermostClosedBy(open, fence.length), index);
    if (open.length > MOST_LEVELS) return true;
  }
  close(0, source.length);
  return parsedAgain > MOST_PARSED_CHARACTERS;
}

function outermostClosedBy(open: readonly { colons: number }[], colons: number): number {
  const index = open.findIndex((directive) => directive.colons <= colons);
  return index === -1 ? open.length : index;
}

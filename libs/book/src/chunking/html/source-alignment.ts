import type { Span } from '../spans.js';
import { parseHtmlFragment } from './parse-html.js';

/** Everything that the tokenizer may parse as a character reference. */
const REFERENCE = /&#?[\da-z]+;?/iy;

/**
 * The source of each UTF-16 unit of a text node: the parser replaces references by characters and line ends by line
 * feeds, and drops stray tags. Undefined when the text is not found in the source.
 */
export function alignWithSource(text: string, source: string, { start, end }: Span): Span[] | undefined {
  const alignment: Span[] = [];
  let at = start;
  while (at < end && alignment.length < text.length) {
    const unit = unitAt(source, at);
    if (unit.text !== '' && text.startsWith(unit.text, alignment.length)) {
      for (let index = 0; index < unit.text.length; index += 1) alignment.push({ start: at, end: unit.end });
      at = unit.end;
    } else {
      at = afterLeftOut(source, at, unit.end);
    }
  }
  return alignment.length === text.length ? alignment : undefined;
}

function unitAt(source: string, at: number): { text: string; end: number } {
  const character = source.charAt(at);
  if (character === '\r') return { text: '\n', end: source.startsWith('\r\n', at) ? at + 2 : at + 1 };
  if (character === '&') {
    REFERENCE.lastIndex = at;
    const [reference] = REFERENCE.exec(source) ?? [];
    if (reference !== undefined) return { text: decoded(reference), end: at + reference.length };
  }
  return { text: character, end: at + 1 };
}

function decoded(reference: string): string {
  const [node] = parseHtmlFragment(reference).children;
  return node?.type === 'text' ? node.value : '';
}

/** The parser drops a whole stray tag, or a single character such as the line feed after `<pre>`. */
function afterLeftOut(source: string, at: number, unitEnd: number): number {
  const tagEnd = source.charAt(at) === '<' ? source.indexOf('>', at) : -1;
  return tagEnd === -1 ? unitEnd : tagEnd + 1;
}

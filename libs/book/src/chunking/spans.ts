/** A part of a page's source, end excluded. */
export interface Span {
  start: number;
  end: number;
}

/** Code and rows are cut between lines, prose after sentences. */
export type CutKind = 'code' | 'rows' | 'prose';

const boundaries = {
  code: [/\n/g, / /g],
  rows: [/\n/g, / /g],
  prose: [/[.!?]["'”’)\]*_]*(?=\s)|[。！？][」』）”’]*/g, /\n/g, /\s/g],
} as const;

/** Cuts a span into parts of at most `limit` characters, each at its best boundary. */
export function cutSpan(source: string, span: Span, limit: number, kind: CutKind): Span[] {
  const parts: Span[] = [];
  let rest = trimSpan(source, span, kind);
  while (rest.end - rest.start > limit) {
    const cut = rest.start + cutPosition(source.slice(rest.start, rest.start + limit + 1), limit, kind);
    parts.push(trimSpan(source, { start: rest.start, end: cut }, kind));
    rest = trimSpan(source, { start: cut, end: rest.end }, kind);
  }
  if (rest.end > rest.start) parts.push(rest);
  return parts;
}

/** `window` is one character longer than the limit, to include a boundary at the limit. */
function cutPosition(window: string, limit: number, kind: CutKind): number {
  for (const boundary of boundaries[kind]) {
    const last = [...window.matchAll(boundary)]
      .map((match) => match.index + match[0].length)
      .findLast((end) => end <= limit);
    if (last !== undefined) return last;
  }
  const splitsSurrogatePair = /[\uD800-\uDBFF]/.test(window.charAt(limit - 1));
  return splitsSurrogatePair ? limit - 1 : limit;
}

/** Without white space at the ends; a line of code keeps its indentation. */
export function trimSpan(source: string, { start, end }: Span, kind: CutKind = 'prose'): Span {
  const text = source.slice(start, end);
  const trimmed = kind === 'code' ? text.replace(/^\s*\n/, '') : text.trimStart();
  const from = start + text.length - trimmed.length;
  return { start: from, end: from + trimmed.trimEnd().length };
}

/** The parts of a span between its holes, in order: one more than there are holes; parts may be empty. */
export function withoutHoles(span: Span, holes: readonly Span[]): Span[] {
  const rest: Span[] = [];
  let { start } = span;
  for (const hole of holes) {
    rest.push({ start, end: hole.start });
    start = hole.end;
  }
  return [...rest, { start, end: span.end }];
}

/** The sorted spans that are within another. */
export function spansWithin(sorted: readonly Span[], { start, end }: Span): readonly Span[] {
  const first = firstAtOrAfter(sorted, start);
  return sorted.slice(first, firstAtOrAfter(sorted, end));
}

function firstAtOrAfter(sorted: readonly Span[], offset: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

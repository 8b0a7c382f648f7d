/** A part of a page's source, end excluded. */
export interface Span {
  start: number;
  end: number;
}

const boundaries = {
  line: [/\n/g, / /g],
  prose: [/[.!?]["')\]]*(?=\s)/g, /\n/g, / /g],
} as const;

/** Cuts a span into parts of at most `limit` characters, at the best boundary of the kind that each part holds. */
export function cutSpan(source: string, span: Span, limit: number, kind: keyof typeof boundaries): Span[] {
  const parts: Span[] = [];
  let rest = trimSpan(source, span);
  while (rest.end - rest.start > limit) {
    const cut = rest.start + cutPosition(source.slice(rest.start, rest.start + limit + 1), limit, kind);
    parts.push(trimSpan(source, { start: rest.start, end: cut }));
    rest = trimSpan(source, { start: cut, end: rest.end });
  }
  if (rest.end > rest.start) parts.push(rest);
  return parts;
}

/** `window` is one character longer than the limit, so that a boundary right at the limit is seen. */
function cutPosition(window: string, limit: number, kind: keyof typeof boundaries): number {
  for (const boundary of boundaries[kind]) {
    const last = [...window.matchAll(boundary)]
      .map((match) => match.index + match[0].length)
      .findLast((end) => end <= limit);
    if (last !== undefined) return last;
  }
  const splitsSurrogatePair = /[\uD800-\uDBFF]/.test(window.charAt(limit - 1));
  return splitsSurrogatePair ? limit - 1 : limit;
}

function trimSpan(source: string, { start, end }: Span): Span {
  const text = source.slice(start, end);
  const leading = text.length - text.trimStart().length;
  return { start: start + leading, end: Math.max(start + leading, start + text.trimEnd().length) };
}

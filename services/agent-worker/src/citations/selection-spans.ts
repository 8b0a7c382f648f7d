/** A part of the caller's selection that an answer can cite. */
export interface SelectionSpan {
  /** Counted from 1. */
  number: number;
  /** UTF-16 indexes into the selection: `selection.slice(start, end) === text`. */
  start: number;
  end: number;
  text: string;
}

type Piece = Pick<SelectionSpan, 'start' | 'end'>;

const MOST_SPANS = 100;
const SHORT = 20;

// With a fixed locale, the same selection has the same spans on every machine.
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Cuts a selection into sentences. Spans end at line breaks, so that headings, list items and lines of code are spans of
 * their own; only above `MOST_SPANS` are neighbours joined. Every non-blank character is in exactly one span.
 */
export function spansOf(selection: string): SelectionSpan[] {
  const lines = [...selection.matchAll(/[^\n\r\u2028\u2029]+/g)];
  const pieces = lines.flatMap(({ 0: line, index }) => joinShort(sentencesOf(line, index)));
  return joinEvenly(pieces).map(({ start, end }, i) => ({
    number: i + 1,
    start,
    end,
    text: selection.slice(start, end),
  }));
}

function sentencesOf(line: string, offset: number): Piece[] {
  const segments = line.length < SHORT ? [{ segment: line, index: 0 }] : sentences.segment(line);
  const pieces: Piece[] = [];
  let from = 0;
  for (const { segment, index } of segments) {
    const to = index + segment.length;
    // `a!=b` and `x?.y` end no sentence: ASCII punctuation ends one only before a blank.
    if (/[!-~]$/.test(segment) && to < line.length) continue;
    const text = line.slice(from, to);
    const start = offset + from + text.length - text.trimStart().length;
    if (text.trim() !== '') pieces.push({ start, end: start + text.trim().length });
    from = to;
  }
  return pieces;
}

/** Joins a short piece with the next one of its line, the last of a line with the previous one. */
function joinShort(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const { start, end } of pieces) {
    const last = joined.at(-1);
    const isLast = end === pieces.at(-1)?.end;
    if (last && (last.end - last.start < SHORT || (isLast && end - start < SHORT))) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

function joinEvenly(pieces: readonly Piece[]): Piece[] {
  if (pieces.length <= MOST_SPANS) return [...pieces];
  return Array.from({ length: MOST_SPANS }, (_, i) => {
    const group = pieces.slice(
      Math.floor((i * pieces.length) / MOST_SPANS),
      Math.floor(((i + 1) * pieces.length) / MOST_SPANS),
    );
    return { start: group[0]?.start ?? 0, end: group.at(-1)?.end ?? 0 };
  });
}

import { spansWithin, withoutHoles, type Span } from '../spans.js';

/** A page's source, and the sorted holes that no chunk may contain. */
export interface ShownSource {
  source: string;
  holes: readonly Span[];
  /** The source with white space in the holes, which keeps the offsets. */
  masked: string;
}

export function shownSource(source: string, holes: readonly Span[]): ShownSource {
  const shown = withoutHoles({ start: 0, end: source.length }, holes);
  const masked = shown.map(({ start, end }, index) => {
    const hole = holes[index - 1];
    return (hole ? source.slice(hole.start, hole.end).replaceAll(/\S/g, ' ') : '') + source.slice(start, end);
  });
  return { source, holes, masked: masked.join('') };
}

/** The source of a span without its holes. */
export function shownText({ source, holes }: ShownSource, span: Span): string {
  const inside = spansWithin(holes, span);
  if (inside.length === 0) return source.slice(span.start, span.end);
  let shown = '';
  let gap = '';
  for (const { start, end } of withoutHoles(span, inside)) {
    const part = source.slice(start, end);
    const text = part.trimStart();
    const space = part.slice(0, part.length - text.length);
    if (text === '') {
      gap += space;
      continue;
    }
    // Code at the start keeps its indentation.
    if (shown !== '') shown += seam(gap, space);
    else if (start === span.start) shown = space;
    shown += text.trimEnd();
    gap = text.slice(text.trimEnd().length);
  }
  return shown;
}

/** Replaces a hole by a blank line, a line end or a space, as around it; indentation stays. */
function seam(left: string, right: string): string {
  const lineEnds = (left + right).match(/\r?\n/g) ?? [];
  if (lineEnds.length === 0) return left + right === '' ? '' : ' ';
  const lineStart = right.includes('\n') ? right : left;
  return lineEnds.slice(0, 2).join('') + lineStart.slice(lineStart.lastIndexOf('\n') + 1);
}

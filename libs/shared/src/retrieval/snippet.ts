import { SNIPPET_MAX_CHARACTERS } from '../contracts/source.contract.js';

const ELLIPSIS = '…';

/** The beginning of a text on one line, cut at a word. */
export function snippet(text: string, max = SNIPPET_MAX_CHARACTERS): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  const room = line.slice(0, max - ELLIPSIS.length + 1);
  const lastBlank = room.lastIndexOf(' ');
  const cut = lastBlank > 0 ? room.slice(0, lastBlank) : room.slice(0, -1);
  return (
    cut
      .toWellFormed()
      .replace(/\uFFFD$/, '')
      .trimEnd() + ELLIPSIS
  );
}

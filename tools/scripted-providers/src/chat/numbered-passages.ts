export interface NumberedPassage {
  number: number;
  text: string;
}

/** Markers count at the start of a line alone: `cite like [1]` in an instruction is no passage. */
const MARKER = /^[ \t]*\[(\d+)\]/gm;

/** Passages such as `[1] …` in the last text that has any; each runs to the next marker, empty line or closing tag. */
export function findNumberedPassages(texts: readonly string[]): NumberedPassage[] {
  for (const text of texts.toReversed()) {
    const passages = passagesIn(text);
    if (passages.length > 0) return passages;
  }
  return [];
}

function passagesIn(text: string): NumberedPassage[] {
  const markers = [...text.matchAll(MARKER)];
  const passages = new Map<number, string>();
  for (const [position, marker] of markers.entries()) {
    const number = Number(marker[1]);
    const body = text.slice(marker.index + marker[0].length, markers[position + 1]?.index);
    const [paragraph = ''] = body.trim().split(/\n\s*(?:\n|<\/)/, 1);
    if (paragraph !== '' && !passages.has(number)) passages.set(number, paragraph);
  }
  return [...passages].map(([number, passage]) => ({ number, text: passage }));
}

import stringWidth from 'string-width';

const TAB_STOP = 8;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many lines of a terminal a text fills that starts at the left edge. */
export function drawnRows(text: string, columns: number): number {
  let rows = 1;
  let column = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (segment === '\n') {
      rows += 1;
      column = 0;
    } else if (segment === '\t') {
      column = Math.min(columns - 1, column + TAB_STOP - (column % TAB_STOP));
    } else {
      const width = stringWidth(segment);
      // A character that does not fit starts the next line; one that just fits does not.
      if (column + width > columns) rows += 1;
      column = column + width > columns ? width : column + width;
    }
  }
  return rows;
}

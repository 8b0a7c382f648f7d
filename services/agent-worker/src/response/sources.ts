import type { BookSource, RetrievedChunk, Source } from '@quire/shared/contracts';
import { bookPassage, snippet } from '@quire/shared/retrieval';
import type { SelectionSpan } from '../citations/selection-spans.js';

/** The cited passages in order of their first citation, numbered like the markers in the text. */
export function citedSources(chunks: readonly RetrievedChunk[], cited: readonly number[]): BookSource[] {
  return cited.flatMap((number, i) => {
    const chunk = chunks[number - 1];
    return chunk ? [{ marker: i + 1, ...bookPassage(chunk) }] : [];
  });
}

/** Every passage, for an answer of sources alone. */
export function allSources(chunks: readonly RetrievedChunk[]): BookSource[] {
  return chunks.map((chunk, i) => ({ marker: i + 1, ...bookPassage(chunk) }));
}

/** The cited spans of the selection, in order of their first citation, numbered like the markers in the text. */
export function selectionSources(
  selection: string,
  spans: readonly SelectionSpan[],
  cited: readonly number[],
): Source[] {
  return cited.flatMap((number, i) => {
    const span = spans[number - 1];
    return span ? [selectionSource(selection, i + 1, span)] : [];
  });
}

export function wholeSelection(selection: string): Source {
  return selectionSource(selection, 1, { start: 0, end: selection.length });
}

function selectionSource(
  selection: string,
  marker: number,
  { start, end }: Pick<SelectionSpan, 'start' | 'end'>,
): Source {
  return {
    source_type: 'selected_text',
    marker,
    selection_length: selection.length,
    snippet: snippet(selection.slice(start, end)),
    char_start: start,
    char_end: end,
  };
}

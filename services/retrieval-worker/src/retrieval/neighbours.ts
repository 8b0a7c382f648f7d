import type { Chunk, RetrievedChunk } from '@quire/shared/contracts';
import { untilAborted } from '@quire/shared/process';
import { pageUrlOf } from '../index/url-prefixes.js';
import type { VectorIndex } from '../index/vector-index.js';

/**
 * Adds what stands before and after each passage on its page. No text is given twice: a passage that is itself a hit
 * is left out, and what stands between two of them goes to the better one. `chunks` come best first.
 */
export async function withNeighbours(
  chunks: readonly RetrievedChunk[],
  index: Pick<VectorIndex, 'chunksAt'>,
  signal: AbortSignal,
): Promise<RetrievedChunk[]> {
  const given = new Set(chunks.map(placeOf));
  const pages = new Set(chunks.map(({ url }) => pageUrlOf(url)));
  const lookUps = [...pages].map((page) =>
    index.chunksAt(page, positionsAround(chunks.filter(({ url }) => pageUrlOf(url) === page))),
  );
  const around = await untilAborted(signal, Promise.all(lookUps));
  const neighbours = new Map(around.flat().map((chunk) => [placeOf(chunk), chunk.text]));
  const textAt = (chunk: Chunk, step: number) => {
    const place = placeOf({ ...chunk, chunk_index: chunk.chunk_index + step });
    if (given.has(place)) return undefined;
    given.add(place);
    return neighbours.get(place);
  };
  return chunks.map((chunk) => {
    const before = textAt(chunk, -1);
    const after = textAt(chunk, 1);
    return { ...chunk, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  });
}

const placeOf = ({ url, chunk_index: position }: Pick<Chunk, 'url' | 'chunk_index'>): string =>
  `${pageUrlOf(url)} ${position}`;

function positionsAround(chunks: readonly Chunk[]): number[] {
  const positions = chunks.flatMap(({ chunk_index: position }) => [position - 1, position + 1]);
  return [...new Set(positions)].filter((position) => position >= 0);
}

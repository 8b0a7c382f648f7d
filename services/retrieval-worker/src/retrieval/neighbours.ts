import type { Chunk, RetrievedChunk } from '@quire/shared/contracts';
import { untilAborted } from '@quire/shared/process';
import { pageUrlOf } from '../index/url-prefixes.js';
import type { VectorIndex } from '../index/vector-index.js';

/**
 * Adds the chunks before and after each passage on its page. No text is returned twice: a neighbour that is itself a hit
 * is left out, and one between two hits is added to the better one.
 *
 * @param chunks best first
 */
export async function withNeighbours(
  chunks: readonly RetrievedChunk[],
  index: Pick<VectorIndex, 'chunksAt'>,
  signal: AbortSignal,
): Promise<RetrievedChunk[]> {
  const given = new Set(chunks.map(positionKey));
  const pages = new Set(chunks.map(({ url }) => pageUrlOf(url)));
  const lookUps = [...pages].map((page) =>
    index.chunksAt(page, positionsAround(chunks.filter(({ url }) => pageUrlOf(url) === page))),
  );
  const around = await untilAborted(signal, Promise.all(lookUps));
  const neighbours = new Map(around.flat().map((chunk) => [positionKey(chunk), chunk.text]));
  const textAt = (chunk: Chunk, step: number) => {
    const key = positionKey({ ...chunk, chunk_index: chunk.chunk_index + step });
    if (given.has(key)) return undefined;
    given.add(key);
    return neighbours.get(key);
  };
  return chunks.map((chunk) => {
    const before = textAt(chunk, -1);
    const after = textAt(chunk, 1);
    return { ...chunk, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  });
}

const positionKey = ({ url, chunk_index: position }: Pick<Chunk, 'url' | 'chunk_index'>): string =>
  `${pageUrlOf(url)} ${position}`;

function positionsAround(chunks: readonly Chunk[]): number[] {
  const positions = chunks.flatMap(({ chunk_index: position }) => [position - 1, position + 1]);
  return [...new Set(positions)].filter((position) => position >= 0);
}

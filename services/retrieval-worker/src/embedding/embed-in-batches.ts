import { EmbedderMisconfigured } from './embedder-failure.js';

export interface BatchLimits {
  embedderId: string;
  dimensions: number;
  textsPerBatch: number;
  /** Batches under way at once. */
  parallel: number;
}

/**
 * What every adapter has in common: blank texts never reach the provider (some refuse them, one throws), batches
 * stay within its limit, and an answer of the wrong shape is refused before it can spoil the index.
 */
export async function embedInBatches(
  texts: readonly string[],
  limits: BatchLimits,
  signal: AbortSignal,
  embedBatch: (batch: string[]) => Promise<number[][]>,
): Promise<number[][]> {
  const vectors = texts.map(() => zeros(limits.dimensions));
  const wanted = texts.flatMap((text, position) => (text.trim() === '' ? [] : [{ text, position }]));
  let next = 0;

  const embedUntilDone = async (): Promise<void> => {
    while (next < wanted.length) {
      signal.throwIfAborted();
      const batch = wanted.slice(next, next + limits.textsPerBatch);
      next += batch.length;
      const answer = await embedBatch(batch.map(({ text }) => text));
      refuseWrongShape(answer, batch.length, limits);
      for (const [i, { position }] of batch.entries()) vectors[position] = answer[i] ?? [];
    }
  };

  signal.throwIfAborted();
  try {
    await Promise.all(Array.from({ length: limits.parallel }, embedUntilDone));
  } finally {
    // After a failure the other lanes take no further batch.
    next = wanted.length;
  }
  return vectors;
}

function zeros(dimensions: number): number[] {
  return Array.from({ length: dimensions }, () => 0);
}

function refuseWrongShape(
  answer: number[][],
  expected: number,
  { embedderId, dimensions }: BatchLimits,
): void {
  if (answer.length !== expected) {
    throw new EmbedderMisconfigured(`${embedderId} gave ${answer.length} vectors for ${expected} texts`);
  }
  const wrong = answer.find((vector) => vector.length !== dimensions);
  if (wrong) {
    throw new EmbedderMisconfigured(
      `${embedderId} gave vectors of ${wrong.length} dimensions, expected ${dimensions}`,
    );
  }
}

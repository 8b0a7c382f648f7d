import type { RetrievedChunk } from '@quire/shared/contracts';

export interface NumberedPassage {
  /** As the model cites it; fixed for the execution. */
  number: number;
  chunk: RetrievedChunk;
}

/** The passages that a model was given over all searches: the only ones it can cite. */
export class NumberedPassages {
  private readonly given: RetrievedChunk[] = [];

  /** Numbers the chunks in order; a known one keeps its number. */
  add(chunks: readonly RetrievedChunk[]): NumberedPassage[] {
    return chunks.map((chunk) => ({ number: this.numberOf(chunk) ?? this.given.push(chunk), chunk }));
  }

  /** Undefined for a chunk that the model was not given. */
  numberOf({ chunk_id: id, content_hash: hash }: RetrievedChunk): number | undefined {
    const known = this.given.findIndex((other) => other.chunk_id === id || other.content_hash === hash);
    return known >= 0 ? known + 1 : undefined;
  }

  has = (number: number): boolean => number >= 1 && number <= this.given.length;

  get chunks(): readonly RetrievedChunk[] {
    return this.given;
  }
}

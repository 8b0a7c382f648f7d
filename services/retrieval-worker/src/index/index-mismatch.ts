import { Internal } from '@quire/shared/errors';
import type { IndexMaker } from './vector-index.js';

const describeMaker = ({ embedder, dimensions }: IndexMaker) => `${embedder} (${dimensions} dimensions)`;

/** Vectors of two embedders cannot be compared, so the worker must not touch this index. */
export class IndexMismatch extends Internal {
  constructor(collection: string, found: IndexMaker | undefined, configured: IndexMaker) {
    const maker = found ? `was made by ${describeMaker(found)}` : 'does not say which embedder made it';
    super(
      `The collection "${collection}" ${maker}, but this worker is configured for ${describeMaker(configured)}. ` +
        'Configure the embedder that made it (EMBEDDER and its model), or set QDRANT_COLLECTION to a new name ' +
        'and ingest the book again.',
    );
  }
}

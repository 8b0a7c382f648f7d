import { Internal } from '@quire/shared/errors';
import type { IndexMaker } from '@quire/shared/qdrant';

const describeMaker = ({ embedder, dimensions }: IndexMaker) => `${embedder} (${dimensions} dimensions)`;

/** Vectors of two embedders cannot be compared: questions to this index need the embedder that made it. */
export class IndexMismatch extends Internal {
  constructor(collection: string, found: IndexMaker, configured: IndexMaker) {
    super(
      `The index "${collection}" was made by ${describeMaker(found)}, but this worker is configured for ` +
        `${describeMaker(configured)} and has no access to the former. Give it that embedder's key as well: then ` +
        'questions go on being answered while `quire ingest` or `quire index rebuild` makes a new index. Or set ' +
        'QDRANT_COLLECTION to a new name and ingest the book again.',
    );
  }
}

import { Internal } from '@quire/shared/errors';
import type { IndexMaker } from '@quire/shared/qdrant';

const describeMaker = ({ embedder, dimensions }: IndexMaker) => `${embedder} (${dimensions} dimensions)`;

/** Questions to an index need the embedder that made it: vectors of two embedders cannot be compared. */
export class IndexMismatch extends Internal {
  constructor(collection: string, found: IndexMaker, configured: IndexMaker) {
    super(
      `The index "${collection}" was made by ${describeMaker(found)}, but this worker is configured for ` +
        `${describeMaker(configured)} and has no access to the former. Give it that embedder's key as well: then ` +
        'questions stay possible while `quire ingest` or `quire index rebuild` makes a new index. Or set ' +
        'QDRANT_COLLECTION to a new name and ingest the book again.',
    );
  }
}

import type { Logger } from '@quire/shared/logging';
import type { IndexMaker } from '@quire/shared/qdrant';
import type { ConfidencePreset } from '@quire/shared/contracts';
import { PeriodicTask } from '@quire/shared/time';
import { MicroBatcher } from '../batching/micro-batcher.js';
import type { Embedder } from '../embedding/embedder.js';
import { makerOf, type Embedders } from '../embedding/embedders.js';
import type { QueryVectors } from '../embedding/query-vectors.js';
import { IndexMismatch } from '../index/index-mismatch.js';
import type { CurrentCollection, IndexCollections } from '../index/index-collections.js';
import type { Candidates, IndexQuery, VectorIndex } from '../index/vector-index.js';
import { confidencePresets } from '../confidence/presets.js';
import { profileOf } from './embedder-profile.js';

/** A collection and the embedder that made its vectors. */
export interface ActiveIndex {
  index: VectorIndex;
  maker: IndexMaker;
  /** Undefined when this process cannot use the embedder that made the index. */
  questions: QueryVectors | undefined;
  search: Pick<MicroBatcher<IndexQuery, Candidates>, 'add'>;
  preset: ConfidencePreset;
  fusionWeight: number;
}

export interface CurrentIndexParts {
  collections: IndexCollections;
  embedders: Embedders;
  openQuestions: (embedder: Embedder) => QueryVectors;
  onSearchBatch: (size: number) => void;
  /** Set by the operator; by default those of the embedder that made the index. */
  preset: ConfidencePreset | undefined;
  fusionWeight: number | undefined;
  logger: Logger;
}

/** An alias that moved is noticed within this time, or at once if its former collection has been removed. */
const REFRESH_EVERY_MS = 5000;
const searchBatching = { maxBatch: 32, maxInFlight: 4, windowMs: 2 };

/** Follows the index's alias: embedder and collection change together while questions are served. */
export class CurrentIndex {
  private active: ActiveIndex | undefined;
  private refreshing: Promise<unknown> | undefined;
  private readonly refreshes = new PeriodicTask(REFRESH_EVERY_MS, async () => void (await this.refresh()));

  constructor(private readonly parts: CurrentIndexParts) {}

  /** Creates the index if there is none; rejects with `IndexMismatch` if its embedder cannot be used here. */
  async start(): Promise<void> {
    const { embedders, logger } = this.parts;
    const configured = makerOf(embedders.configured);
    const current = await this.readAlias();
    if (!embedders.find(current.maker))
      throw new IndexMismatch(current.collection, current.maker, configured);
    if (
      current.maker.embedder !== configured.embedder ||
      current.maker.dimensions !== configured.dimensions
    ) {
      logger.warn(
        { stage: 'retrieval', index_embedder: current.maker.embedder, configured: configured.embedder },
        'The index was made by another embedder, which stays in use: `quire ingest` or `quire index rebuild` makes a new index',
      );
    }
    this.refreshes.start(REFRESH_EVERY_MS);
  }

  get(): ActiveIndex {
    if (!this.active) throw new Error('The index has not been read yet');
    return this.active;
  }

  /** Switches to the collection that the alias names now. */
  refresh(): Promise<unknown> {
    this.refreshing ??= this.readAlias().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  stop(): void {
    void this.refreshes.stop();
  }

  private async readAlias(): Promise<CurrentCollection> {
    const { collections, embedders } = this.parts;
    const current =
      (await collections.current()) ?? (await collections.establish(makerOf(embedders.configured)));
    if (current.collection !== this.active?.index.collection) {
      this.active?.questions?.close();
      this.active = this.activate(current);
    }
    return current;
  }

  private activate({ collection, maker }: CurrentCollection): ActiveIndex {
    const { collections, embedders, openQuestions, onSearchBatch, preset, fusionWeight, logger } = this.parts;
    const embedder = embedders.find(maker);
    const index = collections.open(collection);
    const profile = profileOf(maker.embedder);
    const log = { stage: 'retrieval', collection, embedder: maker.embedder };
    if (embedder) logger.info(log, 'Using this index');
    else
      logger.error(
        log,
        'This worker has no access to the embedder that made the index: search uses words only',
      );
    return {
      index,
      maker,
      questions: embedder && openQuestions(embedder),
      search: new MicroBatcher<IndexQuery, Candidates>({
        ...searchBatching,
        run: (queries) => index.search(queries),
        onBatch: onSearchBatch,
      }),
      preset: preset ?? confidencePresets[profile.preset],
      fusionWeight: fusionWeight ?? profile.fusionWeight,
    };
  }
}

import type { Registry } from '@quire/shared/metrics';
import { Counter, Histogram } from 'prom-client';
import type { ObserveEmbeddingCall } from './embedding/embedding-call.js';

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 96, 128];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export type RetrievalMetrics = ReturnType<typeof createRetrievalMetrics>;

/** The metrics of a retrieval worker; names and labels are a contract with dashboards. */
export function createRetrievalMetrics(registry: Registry) {
  const registers = [registry];
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[],
  ) => new Histogram<Label>({ name, help, buckets, labelNames, registers });

  return {
    queryVectors: new Counter({
      name: 'quire_query_vectors_total',
      help: 'Questions, by the source of their vector',
      labelNames: ['from'],
      registers,
    }),
    embeddingBatchSize: histogram(
      'quire_embedding_batch_size',
      'Texts per call to the embedder, by purpose',
      BATCH_SIZES,
      ['purpose'],
    ),
    embeddingSeconds: histogram(
      'quire_embedding_seconds',
      'Duration of a call to the embedder, per try, by purpose and outcome',
      SECONDS,
      ['purpose', 'outcome'],
    ),
    searchBatchSize: histogram(
      'quire_search_batch_size',
      'Searches per call to the vector index',
      BATCH_SIZES,
      [],
    ),
    retrievalSeconds: histogram('quire_retrieval_seconds', 'Duration of a retrieval, by stage', SECONDS, [
      'stage',
    ]),
    retrievalDegraded: new Counter({
      name: 'quire_retrieval_degraded_total',
      help: 'Degraded retrievals, by reason',
      labelNames: ['reason'],
      registers,
    }),
  };
}

/** Records every call to an embedding provider. */
export function embeddingObserver({
  embeddingBatchSize,
  embeddingSeconds,
}: RetrievalMetrics): ObserveEmbeddingCall {
  return ({ purpose, texts, seconds, outcome }) => {
    embeddingBatchSize.observe({ purpose }, texts);
    embeddingSeconds.observe({ purpose, outcome }, seconds);
  };
}

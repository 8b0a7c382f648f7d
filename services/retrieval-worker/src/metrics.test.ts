import { createRegistry } from '@quire/shared/metrics';
import { expect, it } from 'vitest';
import { createRetrievalMetrics, embeddingObserver } from './metrics.js';

it('the metrics of the worker have the names and labels that dashboards use', async () => {
  const registry = createRegistry('retrieval-worker');
  const metrics = createRetrievalMetrics(registry);
  metrics.queryVectors.inc({ from: 'memory' });
  metrics.searchBatchSize.observe(3);
  metrics.retrievalSeconds.observe({ stage: 'total' }, 0.02);
  metrics.retrievalDegraded.inc({ reason: 'no_vector' });
  embeddingObserver(metrics)({ purpose: 'document', texts: 96, seconds: 0.3, outcome: 'done' });
  const lines = (await registry.metrics()).split('\n');
  for (const line of [
    'quire_query_vectors_total{from="memory",service="retrieval-worker"} 1',
    'quire_search_batch_size_sum{service="retrieval-worker"} 3',
    'quire_retrieval_seconds_sum{service="retrieval-worker",stage="total"} 0.02',
    'quire_retrieval_degraded_total{reason="no_vector",service="retrieval-worker"} 1',
    'quire_embedding_batch_size_sum{service="retrieval-worker",purpose="document"} 96',
    'quire_embedding_seconds_sum{service="retrieval-worker",purpose="document",outcome="done"} 0.3',
  ]) {
    expect(lines).toContain(line);
  }
});

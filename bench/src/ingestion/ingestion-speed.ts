import { join } from 'node:path';
import { BASE_URL, writeBook } from '../book/generated-book.js';
import { note } from '../note.js';
import { withPrivateStores, type PrivateStores } from '../processes/private-stores.js';
import { quireIngest } from '../processes/quire-ingest.js';
import { sampleMemory } from '../processes/resident-memory.js';
import { withRetrievalWorker } from '../processes/retrieval-worker.js';
import type { Figure } from '../report/figure.js';
import { mean } from '../statistics/median.js';
import { secondAndLastQuarter } from '../statistics/quarters.js';
import { localEmbeddingRate } from './embedding-rate.js';
import { sampleTexts } from './sample-texts.js';

const MOST_SAMPLE_TEXTS = 400;
const MOST_TIME = 1.3;
/**
 * Growth from the second quarter of the run to the last, which is half of the book: 5,000 chunks with their vectors, if
 * they were kept, would be some 35 MB.
 */
const MOST_GROWTH_MB = 32;

/** Measures the ingestion of a whole book, against the time of embedding its texts alone. */
export async function ingestionSpeed(chunks: number): Promise<Figure[]> {
  const texts = sampleTexts(chunks, Math.min(MOST_SAMPLE_TEXTS, Math.ceil(chunks / 2)));
  note(
    `ingestion: ${chunks} chunks; the embedder alone is measured on ${texts.length} texts before and after`,
  );
  const before = await localEmbeddingRate(texts);
  note(
    `ingestion: ${before.toFixed(1)} texts/s alone, so this takes about ${Math.ceil(chunks / before / 60)} min`,
  );
  const { summary, memory, commandMemory } = await withPrivateStores((stores) => ingestBook(stores, chunks));
  const after = await localEmbeddingRate(texts);
  return [
    {
      what: `ingestion: ${summary.chunks.embedded} chunks of ${summary.pages.ingested} pages, against embedding alone`,
      unit: 's',
      measured: summary.wallSeconds,
      baseline: summary.chunks.embedded / mean([before, after]),
      bar: { atMost: MOST_TIME, of: 'ratio' },
      samples: 1,
    },
    memoryGrowth('the worker', memory),
    memoryGrowth('the command', commandMemory),
  ];
}

/** In megabytes rather than as a ratio: the models take half a gigabyte, so a leaked book would hardly change it. */
function memoryGrowth(whose: string, samples: readonly number[]): Figure {
  const { second, last } = secondAndLastQuarter(samples);
  return {
    what: `ingestion: memory of ${whose} in the last quarter, against the second`,
    unit: 'MB',
    measured: last,
    baseline: second,
    bar: { atMost: MOST_GROWTH_MB, of: 'difference' },
    samples: samples.length,
  };
}

async function ingestBook(stores: PrivateStores, chunks: number) {
  const book = join(stores.folder, 'book');
  await writeBook(book, chunks);
  return withRetrievalWorker(stores, { EMBEDDER: 'local' }, async (worker) => {
    const workerMemory = sampleMemory(worker.pid);
    let commandMemory = { stop: (): number[] => [] };
    try {
      const summary = await quireIngest(book, BASE_URL, stores, (pid) => (commandMemory = sampleMemory(pid)));
      return { summary, memory: workerMemory.stop(), commandMemory: commandMemory.stop() };
    } finally {
      workerMemory.stop();
      commandMemory.stop();
    }
  });
}

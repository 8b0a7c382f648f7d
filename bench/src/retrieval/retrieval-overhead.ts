import { join } from 'node:path';
import { BASE_URL, writeBook } from '../book/generated-book.js';
import { question } from '../book/prose.js';
import { seededRandom } from '@quire/testkit/random';
import { note } from '../note.js';
import { withAsker, type Ask } from '../processes/asker.js';
import { withEmbeddingServer } from '../processes/embedding-server.js';
import { withPrivateStores } from '../processes/private-stores.js';
import { quireIngest } from '../processes/quire-ingest.js';
import { openAiSettings, withRetrievalWorker } from '../processes/retrieval-worker.js';
import type { Figure } from '../report/figure.js';
import { alternate } from '../statistics/alternate.js';
import { median } from '../statistics/median.js';
import { quietest } from '../statistics/quietest.js';
import { createDirectSearch } from './direct-search.js';

const CHUNKS = 2000;
const EMBEDDING_MS = 5;
const QUESTIONS = 500;
/** Asked before the measurement, so that connections are open and code is compiled. */
const WARM_UP_QUESTIONS = 150;
/** The number of candidates that the worker requests for a small `top_k`. */
const CANDIDATES = 20;
const MOST_OVERHEAD_MS = 3;

type Search = (question: string) => Promise<void>;

/** Measures the time that the retrieval worker adds to that of its embedder and its index. */
export function retrievalOverhead(): Promise<Figure[]> {
  return withPrivateStores((stores) =>
    withEmbeddingServer(EMBEDDING_MS, (embeddingBaseUrl) =>
      withRetrievalWorker(stores, openAiSettings(embeddingBaseUrl), async () => {
        const book = join(stores.folder, 'book');
        await writeBook(book, CHUNKS);
        const { collection, chunks } = await quireIngest(book, BASE_URL, stores);
        note(`retrieval: ${chunks.total} chunks in the index, ${QUESTIONS} questions one at a time`);
        const qdrantUrl = stores.env.QDRANT_URL;
        const direct = createDirectSearch({ embeddingBaseUrl, qdrantUrl, collection, limit: CANDIDATES });
        return withAsker(stores.env.REDIS_URL, (ask) => compare(ask, direct));
      }),
    ),
  );
}

async function compare(ask: Ask, direct: Search): Promise<Figure[]> {
  await askInTurn(WARM_UP_QUESTIONS, 0, ask, direct);
  const { handling, roundTrips, baselines } = await askInTurn(QUESTIONS, WARM_UP_QUESTIONS, ask, direct);
  const inWorker = quietest({ baseline: baselines, measured: handling });
  const overQueue = quietest({ baseline: baselines, measured: roundTrips });
  const common = { unit: 'ms', baseline: median(inWorker.baseline), samples: inWorker.baseline.length };
  return [
    {
      ...common,
      what: 'retrieval: a question in the worker, against its two calls alone',
      measured: median(inWorker.measured),
      bar: { atMost: MOST_OVERHEAD_MS, of: 'difference' },
    },
    {
      ...common,
      what: 'retrieval: a question as its asker waits, over the queue',
      measured: median(overQueue.measured),
    },
  ];
}

async function askInTurn(questions: number, firstNumber: number, ask: Ask, direct: Search) {
  const random = seededRandom(firstNumber);
  const asked = Array.from({ length: questions }, (_, i) => question(random, firstNumber + i));
  const roundTrips: number[] = [];
  const samples = await alternate(questions, {
    async baseline(round) {
      const startedAt = performance.now();
      await direct(asked[round] ?? '');
      return performance.now() - startedAt;
    },
    async measured(round) {
      const startedAt = performance.now();
      const { timings_ms: timings } = await ask(asked[round] ?? '');
      roundTrips.push(performance.now() - startedAt);
      return timings.total;
    },
  });
  return { handling: samples.measured, baselines: samples.baseline, roundTrips };
}

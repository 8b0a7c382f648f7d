import { join } from 'node:path';
import { BASE_URL, writeBook } from '../book/generated-book.js';
import { question } from '../book/prose.js';
import { seededRandom } from '@quire/testkit/random';
import { note } from '../note.js';
import { withAsker, type Ask } from '../processes/asker.js';
import { withPrivateStores } from '../processes/private-stores.js';
import { quireIngest } from '../processes/quire-ingest.js';
import { openAiSettings, withRetrievalWorker } from '../processes/retrieval-worker.js';
import { withSerialEmbedder, type SerialEmbedder } from '../processes/serial-embedder.js';
import type { Figure } from '../report/figure.js';
import { alternate } from '../statistics/alternate.js';
import { mean, median } from '../statistics/median.js';
import { crowdThroughput } from './crowd.js';
import { embedAlone } from './embed-alone.js';

const CHUNKS = 200;
const ASKERS = 32;
const ROUNDS = 6;
/** Questions per round: some seconds for each side, so that its start and end, with few callers, hardly count. */
const QUESTIONS = { alone: 64, shared: 640 };
/** The first few hundred questions of a process are slow: its code is being compiled. */
const WARM_UP_QUESTIONS = 384;
const SAME_QUESTIONS = 5;
const LEAST_GAIN = 8;

/** Measures the gain of concurrent callers that share the embedder's calls. */
export function sharedCalls(): Promise<Figure[]> {
  return withPrivateStores((stores) =>
    withSerialEmbedder((embedder) =>
      withRetrievalWorker(stores, openAiSettings(embedder.baseUrl), async () => {
        const book = join(stores.folder, 'book');
        await writeBook(book, CHUNKS);
        await quireIngest(book, BASE_URL, stores);
        note(`batching: ${ASKERS} askers, ${ROUNDS} rounds each way`);
        return withAsker(stores.env.REDIS_URL, async (ask) => {
          await crowdThroughput(ASKERS, questions(WARM_UP_QUESTIONS, 'warm-up'), ask);
          return [...(await differentQuestions(ask, embedder)), await sameQuestion(ask, embedder)];
        });
      }),
    ),
  );
}

async function differentQuestions(ask: Ask, embedder: SerialEmbedder): Promise<Figure[]> {
  const batches: number[] = [];
  const throughput = await alternate(ROUNDS, {
    baseline: (round) =>
      crowdThroughput(ASKERS, questions(QUESTIONS.alone, `alone ${round}`), (text) =>
        embedAlone(embedder.baseUrl, text),
      ),
    async measured(round) {
      await embedder.takeCalls();
      const perSecond = await crowdThroughput(ASKERS, questions(QUESTIONS.shared, `shared ${round}`), ask);
      batches.push(...(await embedder.takeCalls()));
      return perSecond;
    },
  });
  return [
    {
      what: `batching: ${ASKERS} askers through the worker, against embedding each alone`,
      unit: 'questions/s',
      // The best round of each side: other load on the machine only slows rounds down, and not evenly.
      measured: Math.max(...throughput.measured),
      baseline: Math.max(...throughput.baseline),
      bar: { atLeast: LEAST_GAIN, of: 'ratio' },
      samples: ROUNDS,
    },
    {
      what: 'batching: texts in a call',
      unit: 'texts',
      measured: mean(batches),
      baseline: 1,
      // Unlike the throughput, the size of a call hardly depends on the machine.
      bar: { atLeast: LEAST_GAIN, of: 'ratio' },
      samples: batches.length,
    },
  ];
}

async function sameQuestion(ask: Ask, embedder: SerialEmbedder): Promise<Figure> {
  const calls: number[] = [];
  for (const text of questions(SAME_QUESTIONS, 'the same')) {
    await embedder.takeCalls();
    await Promise.all(Array.from({ length: ASKERS }, () => ask(text)));
    calls.push((await embedder.takeCalls()).length);
  }
  return {
    what: `batching: ${ASKERS} askers of one question`,
    unit: 'calls',
    measured: median(calls),
    baseline: ASKERS,
    samples: SAME_QUESTIONS,
  };
}

/** The occasion makes the questions of each round different, so that none is in the cache. */
function questions(count: number, occasion: string): string[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, number) => `${question(random, number)} (${occasion})`);
}

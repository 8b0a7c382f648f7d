import { join } from 'node:path';
import { freePorts } from '@quire/stack/stores';
import { seededRandom } from '@quire/testkit/random';
import { Redis } from 'ioredis';
import { BASE_URL, writeBook } from '../book/generated-book.js';
import { question } from '../book/prose.js';
import { note } from '../note.js';
import { withProviders } from '../processes/embedding-server.js';
import { withPrivateStores, type PrivateStores } from '../processes/private-stores.js';
import { quireIngest } from '../processes/quire-ingest.js';
import { openAiSettings, withRetrievalWorker } from '../processes/retrieval-worker.js';
import { withService } from '../processes/service.js';
import type { Figure } from '../report/figure.js';
import { secondAndLastQuarter } from '../statistics/quarters.js';

const CHUNKS = 200;
const ASKERS = 32;
const SAMPLES = 100;
/** Growth from the second quarter to the last; the logs of 5,000 runs, if they were kept, would be some 40 MB. */
const MOST_GROWTH_MB = 8;

/** Measures the memory of Redis over many runs: jobs, logs and replies of finished ones must not accumulate. */
export function redisMemory(runs: number): Promise<Figure[]> {
  return withPrivateStores((stores) =>
    withProviders(0, ({ openaiBaseUrl, geminiBaseUrl }) =>
      withRetrievalWorker(stores, openAiSettings(openaiBaseUrl), async () => {
        const book = join(stores.folder, 'book');
        await writeBook(book, CHUNKS);
        await quireIngest(book, BASE_URL, stores);
        const model = { GEMINI_API_KEY: 'bench', GEMINI_BASE_URL: geminiBaseUrl };
        const [port = 0] = await freePorts(1);
        const gateway = { PORT: String(port) };
        return withService('services/agent-worker/dist/main.js', stores, model, () =>
          withService('services/gateway/dist/main.js', stores, gateway, () =>
            measure(stores, `http://127.0.0.1:${port}`, runs),
          ),
        );
      }),
    ),
  );
}

async function measure({ env }: PrivateStores, gatewayUrl: string, runs: number): Promise<Figure[]> {
  note(`hygiene: ${runs} runs, ${ASKERS} at a time`);
  const redis = new Redis(env.REDIS_URL);
  const random = seededRandom(1);
  const megabytes: number[] = [];
  let asked = 0;
  const asker = async () => {
    while (asked < runs) {
      asked += 1;
      const isSampled = asked % Math.ceil(runs / SAMPLES) === 0;
      await ask(gatewayUrl, question(random, asked));
      if (isSampled) megabytes.push(await usedMegabytes(redis));
    }
  };
  await Promise.all(Array.from({ length: ASKERS }, asker));
  redis.disconnect();
  const { second, last } = secondAndLastQuarter(megabytes);
  return [
    {
      what: `hygiene: memory of Redis in the last quarter of ${runs} runs, against the second`,
      unit: 'MB',
      measured: last,
      baseline: second,
      bar: { atMost: MOST_GROWTH_MB, of: 'difference' },
      samples: megabytes.length,
    },
  ];
}

async function ask(gatewayUrl: string, message: string): Promise<void> {
  const response = await fetch(`${gatewayUrl}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The gateway returned ${response.status}: ${answer}`);
}

async function usedMegabytes(redis: Redis): Promise<number> {
  const [, bytes = Number.NaN] = /^used_memory:(\d+)/m.exec(await redis.info('memory')) ?? [];
  return Number(bytes) / 1024 / 1024;
}

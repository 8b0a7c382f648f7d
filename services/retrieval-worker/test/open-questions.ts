import { startScriptedProviders } from '@quire/scripted-providers';
import { createLogger } from '@quire/shared/logging';
import { createRegistry } from '@quire/shared/metrics';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { startTcpProxy, testRedisUrl } from '@quire/testkit';
import { onTestFinished } from 'vitest';
import { openOpenAiEmbedder } from '../src/embedding/openai-embedder.js';
import { openQueryVectors } from '../src/embedding/query-vectors.js';
import { createRetrievalMetrics } from '../src/metrics.js';

export const DIMENSIONS = 256;
/** Longer than a busy machine pauses between two lines of a test. */
const BREAKER_OPEN_MS = 1000;
const LOOKUP_LIMIT_MS = 1000;
const READY_LIMIT_MS = 5000;

/** A scripted provider and a Redis that can be cut off, for any number of workers. */
export async function startQuestionStores() {
  const providers = await startScriptedProviders();
  const proxy = await startTcpProxy(await testRedisUrl());
  onTestFinished(async () => {
    await providers.close();
    await proxy.close();
  });
  return {
    providers,
    proxy,
    open: (dimensions = DIMENSIONS) => openQuestions(providers.openaiBaseUrl, proxy.url, dimensions),
  };
}

/** The vectors of questions as one worker process has them. */
async function openQuestions(baseUrl: string, redisUrl: string, dimensions: number) {
  const logger = createLogger('test', 'silent');
  const redis = connectRedis(redisUrl, 'request', logger);
  await awaitRedis(redis, READY_LIMIT_MS);
  const metrics = createRetrievalMetrics(createRegistry('test'));
  const embedder = openOpenAiEmbedder({
    apiKey: 'key',
    model: 'text-embedding-3-small',
    baseUrl,
    dimensions,
  });
  const questions = openQueryVectors({
    embedder,
    redis,
    logger,
    metrics,
    breakerOpenMs: BREAKER_OPEN_MS,
    lookupLimitMs: LOOKUP_LIMIT_MS,
  });
  onTestFinished(async () => {
    questions.close();
    await embedder.close();
    redis.disconnect();
  });
  return {
    redis,
    vectorOf: (question: string, signal: AbortSignal = new AbortController().signal) =>
      questions.vectorOf(question, signal),
    /** The number of vectors so far, by source. */
    async sources() {
      const { values } = await metrics.queryVectors.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.from, value]));
    },
  };
}

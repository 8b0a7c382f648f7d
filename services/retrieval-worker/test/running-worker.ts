import { startScriptedProviders, type ScriptedProviders } from '@quire/scripted-providers';
import type { IngestResult, IngestTask, Page, PageIngested, RetrievalQuery } from '@quire/shared/contracts';
import {
  openQueue,
  type JobPayload,
  type JobQueue,
  type QueueName,
  type StoredJob,
} from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import type { Service } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { RetrievalClient } from '@quire/shared/retrieval';
import { dropIndex, eventually, qdrantUrl, testRedisUrl, uniqueCollection } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { compose } from '../src/compose.js';
import { loadRetrievalConfig } from '../src/config.js';

/** The stored result is never polled within a test: only the reply channel brings results. */
const NEVER_MS = 60_000;

export interface RunningWorker {
  readonly env: Record<string, string>;
  readonly providers: ScriptedProviders;
  readonly redis: Redis;
  readonly queues: { [Name in 'retrieval' | 'ingest']: JobQueue<Name> };
  readonly service: Service;
  search(query: Partial<RetrievalQuery>, deadlineAt?: number): ReturnType<RetrievalClient['search']>;
  /** Runs one step of an ingestion. */
  perform<Task extends IngestTask['task']>(
    task: Extract<IngestTask, { task: Task }>,
  ): Promise<Extract<IngestResult, { task: Task }>>;
  /** Ingests a page into the current index. */
  ingest(page: { path: string; markdown: string }): Promise<PageIngested>;
  stop(): Promise<void>;
}

export const baseUrl = 'https://book.example/docs';

/** The service as `main.ts` composes it, on the test's stores, with a scripted embedding provider. */
export async function startWorker(overrides: Record<string, string> = {}): Promise<RunningWorker> {
  const providers = await startScriptedProviders();
  const ingestionId = randomUUID();
  const env = {
    REDIS_URL: await testRedisUrl(),
    QDRANT_URL: qdrantUrl(),
    QDRANT_COLLECTION: uniqueCollection(),
    EMBEDDER: 'openai',
    EMBEDDING_API_KEY: 'key',
    EMBEDDING_BASE_URL: providers.openaiBaseUrl,
    EMBEDDING_DIMENSIONS: '256',
    COHERE_BASE_URL: providers.cohereBaseUrl,
    CONFIDENCE_PRESET: 'lenient',
    LOG_LEVEL: 'silent',
    ...overrides,
  };
  const { service } = compose(loadRetrievalConfig(env));
  await service.start();

  const logger = createLogger('test', 'silent');
  const redis = connectRedis(env.REDIS_URL, 'request', logger);
  const subscriber = connectRedis(env.REDIS_URL, 'subscriber', logger);
  await awaitRedis(redis, 60_000);
  const queues = { retrieval: openQueue('retrieval', redis), ingest: openQueue('ingest', redis) };
  const client = new RetrievalClient(queues.retrieval, subscriber, NEVER_MS);
  await client.start();

  let collection: string | undefined;
  const perform: RunningWorker['perform'] = async (task) => {
    const jobId = randomUUID();
    await queues.ingest.add(jobId, task);
    const stored = await settled(queues.ingest, jobId);
    if (stored.state === 'completed') return stored.result as never;
    throw new Error(stored.reason);
  };

  return {
    env,
    providers,
    redis,
    queues,
    service,
    search: (query, deadlineAt = Date.now() + 20_000) =>
      client.search(
        { query: 'What is quality of service?', top_k: 5, ...query },
        { requestId: randomUUID(), deadlineAt, signal: new AbortController().signal },
      ),
    perform,
    async ingest({ path, markdown }) {
      collection ??= (await perform({ task: 'open', ingestion_id: ingestionId })).collection;
      return perform({
        task: 'page',
        ingestion_id: ingestionId,
        book: baseUrl,
        collection,
        page: aPage({ path, text: markdown }),
      });
    },
    async stop() {
      await service.stop();
      await Promise.all([queues.retrieval.close(), queues.ingest.close()]);
      redis.disconnect();
      subscriber.disconnect();
      await providers.close();
      await dropIndex(env.QDRANT_COLLECTION, env.QDRANT_URL).catch(() => {});
    },
  };
}

export function aPage(page: Pick<Page, 'path' | 'text'> & Partial<Page>): Page {
  return { format: 'markdown', layout: 'docusaurus', base_url: baseUrl, ...page };
}

type Settled<Name extends QueueName> = Extract<StoredJob<Name>, { state: 'completed' } | { state: 'failed' }>;

/** Waits until a job has completed or failed for good. */
export function settled<Name extends QueueName>(
  queue: JobQueue<Name>,
  jobId: string,
): Promise<Settled<Name>> {
  const find = async () => {
    const stored = await queue.find(jobId);
    if (stored.state === 'completed' || stored.state === 'failed') return stored;
    throw new Error(`Job ${jobId} is ${stored.state}`);
  };
  return eventually(find);
}

export function aRetrievalJob(overrides: Partial<JobPayload<'retrieval'>> = {}): JobPayload<'retrieval'> {
  return {
    query: 'What is quality of service?',
    top_k: 5,
    request_id: randomUUID(),
    deadline_at: Date.now() + 20_000,
    reply_to: randomUUID(),
    ...overrides,
  };
}

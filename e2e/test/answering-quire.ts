import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatResponseSchema, type ChatResponse } from '@quire/shared/contracts';
import { openDatabase, type Database, type RetrievalCallRecord } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { connectRedis, redisKeys } from '@quire/shared/redis';
import {
  answer,
  messageTexts,
  startScriptedProviders,
  vectors,
  type ChatRequest,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { collectEvents, dropIndex, textOf } from '@quire/testkit';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

const rosBook = ['books/physical-ai/docs/ros2', '--base-url', 'https://physical-ai.example/docs/ros2'];

export interface AnsweringQuire extends QuireProcesses {
  providers: ScriptedProviders;
  db: Database;
  redis: Redis;
  /** Asks a question and returns the response. */
  answerTo(body: object): Promise<ChatResponse>;
  /** Asks as a stream; returns the response and the text since the last reset. */
  streamOf(body: object): Promise<{ shown: string; raw: string; response: ChatResponse }>;
  /** The requests to the models since the last `startAfresh`. */
  sent(): ChatRequest[];
  /** All message texts of one of these requests. */
  prompt(call: number): string;
  toolAnswers(call: number): string[];
  /** The searches stored with the answer of a run. */
  searchesOf(runId: string): Promise<RetrievalCallRecord[]>;
  /** The stored spend of a run, by model and attempt. */
  bookedFor(runId: string): Promise<object[]>;
  /** Closes every circuit breaker and clears every script, so that tests do not affect each other. */
  startAfresh(): Promise<void>;
}

/** The environment of services that embed with the scripted provider. */
export const scriptedEmbedding = ({ openaiBaseUrl }: ScriptedProviders) => ({
  EMBEDDER: 'openai',
  EMBEDDING_API_KEY: 'key',
  EMBEDDING_BASE_URL: openaiBaseUrl,
  CONFIDENCE_PRESET: 'lenient',
});

/** Starts the services with a scripted model and embedder, and ingests these pages by title, or the sample book. */
export async function startAnsweringQuire(
  env: Record<string, string> = {},
  pages?: Record<string, string>,
): Promise<AnsweringQuire> {
  const providers = await startScriptedProviders();
  const quire = await startQuire({
    ...scriptedEmbedding(providers),
    GEMINI_API_KEY: 'key',
    GEMINI_BASE_URL: providers.geminiBaseUrl,
    GEMINI_MODELS: 'first,second',
    ...env,
  });
  await (pages ? ingestPages(quire, pages) : ingest(quire, rosBook));
  const logger = createLogger('test', 'silent');
  const db = openDatabase(quire.env['DATABASE_URL'] ?? '', logger, 2);
  const redis = connectRedis(quire.env['REDIS_URL'] ?? '', 'worker', logger);
  const sent = () => providers.chat.requests.map(({ body }) => body);
  return {
    ...quire,
    providers,
    db,
    redis,
    async answerTo(body) {
      const response = await quire.ask(body);
      expect(response.status).toBe(200);
      return chatResponseSchema.parse(await response.json());
    },
    async streamOf(body) {
      const events = await collectEvents(await quire.ask(body, '/chat/stream'));
      const last = events.at(-1);
      expect(last?.event).toBe('completed');
      const response = chatResponseSchema.parse(JSON.parse(last?.data ?? ''));
      return { shown: textOf(events), raw: JSON.stringify(events), response };
    },
    sent,
    prompt: (call) => textsOf(sent()[call]).join('\n'),
    toolAnswers: (call) => {
      const texts = textsOf(sent()[call]);
      return texts.filter((_text, i) => sent()[call]?.messages[i]?.role === 'tool');
    },
    async searchesOf(runId) {
      const { retrieval_calls: calls } = await db
        .selectFrom('messages')
        .select('retrieval_calls')
        .where('run_id', '=', runId)
        .where('role', '=', 'assistant')
        .executeTakeFirstOrThrow();
      return calls ?? [];
    },
    bookedFor: (runId) =>
      db
        .selectFrom('model_usage')
        .select(['attempt', 'model', 'tenant', 'calls', 'prompt_tokens', 'completion_tokens'])
        .select(['cost_usd', 'estimated'])
        .where('run_id', '=', runId)
        .orderBy('model')
        .orderBy('attempt')
        .execute(),
    async startAfresh() {
      const breakers = await redis.keys(redisKeys.modelBreaker('*'));
      if (breakers.length > 0) await redis.del(breakers);
      providers.reset();
      providers.chat.byDefault(answer());
      providers.embeddings.byDefault(vectors());
    },
    async close() {
      redis.disconnect();
      await db.destroy();
      await quire.close();
      await providers.close();
      await dropIndex(quire.env['QDRANT_COLLECTION'] ?? '');
    },
  };
}

const textsOf = (request: ChatRequest | undefined) => (request ? messageTexts(request) : []);

async function ingest(quire: QuireProcesses, book: readonly string[]): Promise<void> {
  expect(await quire.quire('ingest', ...book)).toMatchObject({ code: 0 });
}

async function ingestPages(quire: QuireProcesses, pages: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-book-'));
  try {
    for (const [title, text] of Object.entries(pages)) {
      await writeFile(join(folder, `${title.toLowerCase()}.md`), `# ${title}\n\n${text}\n`);
    }
    await ingest(quire, [folder, '--base-url', 'https://book.example/docs']);
  } finally {
    await rm(folder, { recursive: true });
  }
}

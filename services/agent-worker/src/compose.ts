import { migrate, openDatabase } from '@quire/shared/database';
import { openQueue, openWorker } from '@quire/shared/jobs';
import { createLogger, type Logger } from '@quire/shared/logging';
import { announcePresence, type Service } from '@quire/shared/process';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { RetrievalClient } from '@quire/shared/retrieval';
import { RunLog } from '@quire/shared/run-log';
import OpenAI from 'openai';
import type { AgentConfig } from './config.js';
import type { ChatModel } from './generation/chat-model.js';
import { OpenAiChatModel } from './generation/openai-chat-model.js';
import { chatProcessor } from './run/chat.processor.js';

const REDIS_START_LIMIT_MS = 15_000;

export function compose(config: AgentConfig): { service: Service; logger: Logger } {
  const logger = createLogger('agent-worker', config.LOG_LEVEL);
  const db = openDatabase(config.DATABASE_URL, logger);
  const redis = connectRedis(config.REDIS_URL, 'worker', logger);
  const subscriber = connectRedis(config.REDIS_URL, 'subscriber', logger);
  const retrievalQueue = openQueue('retrieval', redis);
  const retrieval = new RetrievalClient(retrievalQueue, subscriber);
  const models = modelChain(config);
  const worker = openWorker(
    'chat',
    chatProcessor({
      db,
      runLog: new RunLog(redis),
      retrieval,
      models,
      retrievalTimeoutMs: config.RETRIEVAL_TIMEOUT_MS,
      logger,
    }),
    { connection: redis, concurrency: config.AGENT_CONCURRENCY, logger },
  );
  let sayGoodbye = async () => {};

  const start = async () => {
    await awaitRedis(redis, REDIS_START_LIMIT_MS);
    await migrate(db, logger);
    await retrieval.start();
    worker.start();
    sayGoodbye = announcePresence(redis, 'agent-worker');
    if (models.length === 0) {
      logger.warn({ stage: 'agent' }, 'GEMINI_API_KEY is not set: answers will be retrieval_only');
    }
  };

  const stop = async () => {
    await sayGoodbye();
    await worker.close();
    await retrievalQueue.close();
    redis.disconnect();
    subscriber.disconnect();
    await db.destroy();
  };

  return { service: { start, stop }, logger };
}

function modelChain(config: AgentConfig): ChatModel[] {
  if (config.GEMINI_API_KEY === undefined) return [];
  const client = new OpenAI({ apiKey: config.GEMINI_API_KEY, baseURL: config.GEMINI_BASE_URL });
  const limits = {
    firstTokenMs: config.GEMINI_FIRST_TOKEN_TIMEOUT_MS,
    idleMs: config.GEMINI_IDLE_TIMEOUT_MS,
  };
  return config.GEMINI_MODELS.map((name) => new OpenAiChatModel(client, name, limits));
}

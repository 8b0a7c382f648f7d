import { randomUUID } from 'node:crypto';
import {
  startScriptedProviders,
  vectors,
  type RecordedRequest,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { dropIndex } from '@quire/testkit';
import { Redis } from 'ioredis';
import {
  gatewayUrl,
  startQuire,
  type QuireProcesses,
  type ServiceName,
  type ServiceProcess,
} from '../quire-processes.js';
import { askedOf, numberedAnswer } from './numbered-answer.js';

export interface TwoOfEach {
  quire: QuireProcesses;
  providers: ScriptedProviders;
  /** A connection of the test, to inspect the queue. */
  redis: Redis;
  /** Base URLs of the gateways that run. */
  gateways(): string[];
  alive(name: ServiceName): ServiceProcess[];
  startOne(name: ServiceName): Promise<ServiceProcess>;
  /** Starts the processes that are missing to two of each. */
  refill(): Promise<void>;
  /** The worker that sent a request to a provider. */
  callerOf(request: Pick<RecordedRequest<unknown>, 'headers'> | undefined): ServiceProcess | undefined;
  /** The model calls for the question with this tag and the workers that made them, oldest first. */
  callsFor(tag: string): ModelCall[];
  close(): Promise<void>;
}

export interface ModelCall {
  aborted: boolean;
  agent: ServiceProcess | undefined;
}

const TOKEN_MS = 15;
/** Tells the workers apart by the requests they send to the providers. */
const keyOf = {
  'agent-worker': 'GEMINI_API_KEY',
  'retrieval-worker': 'EMBEDDING_API_KEY',
  gateway: 'UNUSED',
} as const;

/** Two gateways, two agent workers and two retrieval workers with a small book and a model that counts. */
export async function startTwoOfEach(env: Record<string, string> = {}): Promise<TwoOfEach> {
  const providers = await startScriptedProviders();
  providers.chat.byDefault((request) => numberedAnswer(request, TOKEN_MS));
  // The book has an answer to a question with any tag.
  providers.embeddings.byDefault(({ texts, dimension = 1 }) =>
    vectors({ vectors: texts.map(() => Array.from({ length: dimension }, () => 1)) }),
  );
  const quire = await startQuire(
    {
      GEMINI_BASE_URL: providers.geminiBaseUrl,
      GEMINI_MODELS: 'only',
      EMBEDDER: 'openai',
      EMBEDDING_API_KEY: 'key',
      EMBEDDING_BASE_URL: providers.openaiBaseUrl,
      CONFIDENCE_PRESET: 'lenient',
      // No time limit ends the call of a model that a test holds back, however slow the machine is.
      GEMINI_FIRST_TOKEN_TIMEOUT_MS: '300000',
      GEMINI_IDLE_TIMEOUT_MS: '300000',
      RUN_DEADLINE_MS: '300000',
      ...env,
    },
    { gateway: 0, 'agent-worker': 0, 'retrieval-worker': 0 },
  );
  const keys = new Map<string, ServiceProcess>();
  const startNamed = async (name: ServiceName) => {
    const key = `${name}-${randomUUID()}`;
    const service = await quire.start(name, { [keyOf[name]]: key });
    keys.set(`Bearer ${key}`, service);
    return service;
  };
  const { QDRANT_COLLECTION = '', QDRANT_URL = '', REDIS_URL = '' } = quire.env;
  const redis = new Redis(REDIS_URL, { maxRetriesPerRequest: 1, socketTimeout: 2000 });
  redis.on('error', () => {});
  const refill = async () => {
    const names: ServiceName[] = ['gateway', 'agent-worker', 'retrieval-worker'];
    const missing = names.flatMap((name) => Array.from({ length: 2 - alive(name).length }, () => name));
    await Promise.all(missing.map(startNamed));
  };
  const alive = (name: ServiceName) =>
    quire.processes.filter((service) => service.name === name && isAlive(service));
  await refill();
  const ingested = await quire.quire(
    'ingest',
    'books/physical-ai/docs/ros2/nodes-and-topics.md',
    '--base-url',
    'https://physical-ai.example',
  );
  if (ingested.code !== 0) throw new Error(ingested.output);
  providers.reset();
  return {
    quire,
    providers,
    redis,
    gateways: () => alive('gateway').map(gatewayUrl),
    alive,
    startOne: startNamed,
    refill,
    callerOf: (request) => keys.get(request?.headers.authorization ?? ''),
    callsFor: (tag) =>
      providers.chat.requests
        .filter(({ body }) => askedOf(body)?.tag === tag)
        .map((call) => ({ aborted: call.aborted, agent: keys.get(call.headers.authorization ?? '') })),
    async close() {
      redis.disconnect();
      await quire.close();
      await dropIndex(QDRANT_COLLECTION, QDRANT_URL).catch(() => {});
      await providers.close();
    },
  };
}

const isAlive = ({ child }: ServiceProcess): boolean => child.exitCode === null && child.signalCode === null;

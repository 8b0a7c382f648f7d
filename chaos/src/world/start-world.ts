import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePorts,
  keepAtEnd,
  placeData,
  removeAtEnd,
  startPostgres,
  startQdrant,
  startRedis,
} from '@quire/stack/stores';
import { note } from '../note.js';
import { REPOSITORY } from '../repository.js';
import { FaultyStore } from './faulty-store.js';
import { ingestBook } from './ingest-book.js';
import type { ProcessLedger } from './process-ledger.js';
import { startScriptedModel } from './scripted-model.js';
import { stalledRunIn, type StalledRun } from './stalled-runs.js';
import { SupervisedService, type ServiceSpec } from './supervised-service.js';
import type { World } from './world.js';

export const RUN_DEADLINE_MS = 60_000;
/** High limits: few clients send many requests here, and limits are not under test. */
const NO_LIMIT = '1000000';
const LONGEST_WAIT_MS = '600000';
/** Shorter than a long answer, so that a run whose client leaves is cancelled in the middle of it. */
const DISCONNECT_GRACE_MS = '3000';

export interface WorldOptions {
  logFolder: string;
  ledger: ProcessLedger;
  /** Runs at a time in one agent worker. */
  agentConcurrency: number;
}

/** Two of each service on private stores, with a book in the index. Stops everything when it fails. */
export async function startWorld({ logFolder, ledger, agentConcurrency }: WorldOptions): Promise<World> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const folder = await privateFolder();
    undo.push(() => removeFolder(folder));
    const stores = await startFaultyStores(folder, ledger, (close) => undo.push(close));
    const model = await startScriptedModel();
    undo.push(() => model.close());
    const env = environment(stores, model);
    const [portA = 0, portB = 0] = await freePorts(2);
    const stalledRuns: StalledRun[] = [];
    const onLine = (line: string) => {
      const runId = stalledRunIn(line);
      if (runId !== undefined) stalledRuns.push({ runId, foundAt: Date.now() });
    };
    const service = (label: string, name: ServiceSpec['service'], more: Record<string, string> = {}) =>
      new SupervisedService({
        label,
        service: name,
        env: { ...env, ...more },
        folder,
        logFolder,
        ledger,
        onLine,
      });
    const services = {
      gateways: [portA, portB].map((port, index) =>
        service(`gateway-${index + 1}`, 'gateway', { PORT: String(port) }),
      ),
      agents: [1, 2].map((index) =>
        service(`agent-worker-${index}`, 'agent-worker', { AGENT_CONCURRENCY: String(agentConcurrency) }),
      ),
      retrievers: [1, 2].map((index) => service(`retrieval-worker-${index}`, 'retrieval-worker')),
    };
    const all = Object.values(services).flat();
    undo.push(() => Promise.all(all.map((each) => each.stop())));
    for (const each of all) each.start();
    await Promise.all(all.map((each) => each.ready()));
    await ingestBook(env, folder);
    const gatewayUrls = [`http://127.0.0.1:${portA}`, `http://127.0.0.1:${portB}`] as const;
    return { gatewayUrls, stores, services, stalledRuns, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function privateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-chaos-'));
  removeAtEnd(folder);
  // Started by root the stores run as the user `nobody`, which must be able to enter.
  await chmod(folder, 0o755);
  return folder;
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  keepAtEnd(folder);
}

/** Passes on how to close each store that has started, even if another one fails to start. */
async function startFaultyStores(
  folder: string,
  ledger: ProcessLedger,
  onStarted: (close: () => Promise<void>) => void,
): Promise<World['stores']> {
  const home = await placeData(process.env['QUIRE_DATA_DIR'] ?? join(REPOSITORY, '.quire'));
  const options = {
    dataDir: folder,
    binDir: join(home.dataDir, 'bin'),
    throwaway: true,
    withoutQdrantKey: true,
    notice: note,
  };
  const starting = [startRedis, startPostgres, startQdrant].map(async (launch) => {
    const store = await FaultyStore.start(launch, ledger, options);
    onStarted(() => store.close());
    return store;
  });
  await Promise.allSettled(starting);
  const [redis, postgres, qdrant] = await Promise.all(starting);
  if (!redis || !postgres || !qdrant) throw new Error('A store is missing');
  return { redis, postgres, qdrant };
}

function environment(
  { redis, postgres, qdrant }: World['stores'],
  model: { openaiBaseUrl: string; geminiBaseUrl: string },
): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOST: '127.0.0.1',
    REDIS_URL: redis.proxy.url,
    DATABASE_URL: postgres.proxy.url,
    QDRANT_URL: qdrant.proxy.url,
    QDRANT_COLLECTION: 'chaos',
    EMBEDDER: 'openai',
    EMBEDDING_API_KEY: 'chaos',
    EMBEDDING_BASE_URL: model.openaiBaseUrl,
    CONFIDENCE_PRESET: 'lenient',
    GEMINI_API_KEY: 'chaos',
    GEMINI_BASE_URL: model.geminiBaseUrl,
    GEMINI_MODELS: 'scripted',
    RUN_DEADLINE_MS: String(RUN_DEADLINE_MS),
    RATE_LIMIT_PER_MINUTE: NO_LIMIT,
    MAX_CONCURRENT_PER_KEY: NO_LIMIT,
    MAX_EXPECTED_WAIT_MS: LONGEST_WAIT_MS,
    DISCONNECT_GRACE_MS,
  };
}

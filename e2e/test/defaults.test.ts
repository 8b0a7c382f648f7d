import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { jobCatalogue } from '@quire/shared/jobs';
import { describe, expect, it } from 'vitest';
import { repoRoot } from './quire-processes.js';

type Environment = Record<string, string | undefined>;
type Load = (env: Environment) => Record<string, unknown>;

const load = async (service: string, name: string) =>
  ((await import(join(repoRoot, 'services', service, 'dist/config.js'))) as Record<string, Load>)[name];

const example = parseEnv(readFileSync(join(repoRoot, '.env.example'), 'utf8'));
const stores = { REDIS_URL: 'redis://r', DATABASE_URL: 'postgres://p', QDRANT_URL: 'http://q' };
/** Whether some variables are read depends on others. */
const keys = { COHERE_API_KEY: 'k', EMBEDDING_API_KEY: 'k' };

it.each([
  ['gateway', 'loadGatewayConfig', {}],
  ['agent-worker', 'loadAgentConfig', {}],
  ['retrieval-worker', 'loadRetrievalConfig', {}],
  ['retrieval-worker', 'loadRetrievalConfig', { ...keys, EMBEDDER: 'cohere' }],
  ['retrieval-worker', 'loadRetrievalConfig', { ...keys, EMBEDDER: 'openai' }],
])('the values of .env.example are the defaults of %s (%s, %j)', async (service, name, given) => {
  const config = await load(service, name);
  const env = { ...stores, ...given };
  expect(config?.(env)).toBeDefined();
  expect(config?.({ ...example, ...env })).toEqual(config?.(env));
});

describe('the documented defaults', () => {
  it.each([
    ['HOST', '127.0.0.1'],
    ['QDRANT_COLLECTION', 'quire'],
    ['GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com/v1beta/openai/'],
    ['GEMINI_MODELS', 'gemini-3.8-flash,gemini-3.5-flash-lite'],
    ['GEMINI_FIRST_TOKEN_TIMEOUT_MS', '15000'],
    ['GEMINI_IDLE_TIMEOUT_MS', '20000'],
    ['COHERE_EMBED_MODEL', 'embed-english-v3.0'],
    ['EMBEDDING_MODEL', 'text-embedding-3-small'],
    ['EMBEDDING_DIMENSIONS', '1536'],
    ['RUN_DEADLINE_MS', '120000'],
    ['RATE_LIMIT_PER_MINUTE', '100'],
    ['MAX_CONCURRENT_PER_KEY', '10'],
    ['MAX_EXPECTED_WAIT_MS', '30000'],
    ['DISCONNECT_GRACE_MS', '10000'],
    ['THREAD_IDLE_MS', '3600000'],
    ['AGENT_CONCURRENCY', '500'],
    ['RETRIEVAL_CONCURRENCY', '64'],
    ['LOG_LEVEL', 'info'],
    ['QUIRE_DATA_DIR', '.quire'],
  ])('%s=%s', (name, value) => {
    expect(example[name]).toBe(value);
  });

  it('PORT=8787, which npm start may have to replace by a free port', async () => {
    expect((await load('gateway', 'loadGatewayConfig'))?.(stores)['PORT']).toBe(8787);
  });
});

it('the tries of a chat job outlast the longest RUN_DEADLINE_MS', async () => {
  const config = await load('gateway', 'loadGatewayConfig');
  const { attempts, backoff } = jobCatalogue.chat;
  const shortest = (attempts - 1) * backoff.delay * (1 - backoff.jitter);
  expect(() => config?.({ ...stores, RUN_DEADLINE_MS: String(shortest + 1) })).toThrow('RUN_DEADLINE_MS');
});

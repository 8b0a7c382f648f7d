import { StackError } from '../stack-error.js';
import { probePostgres } from './probes/probe-postgres.js';
import { probeQdrant } from './probes/probe-qdrant.js';
import { probeRedis } from './probes/probe-redis.js';
import type { RunningStore, StoreName } from './running-store.js';

const ANSWER_LIMIT_MS = 5_000;

export const STORE_VARIABLES = {
  redis: 'REDIS_URL',
  postgres: 'DATABASE_URL',
  qdrant: 'QDRANT_URL',
} as const satisfies Record<StoreName, string>;

/** The store that the user's variable names, once its probe has succeeded; undefined if the variable is not set. */
export async function externalStore(
  name: StoreName,
  env: NodeJS.ProcessEnv,
): Promise<RunningStore | undefined> {
  const variable = STORE_VARIABLES[name];
  const url = env[variable];
  if (!url) return undefined;
  try {
    await PROBES[name](url, env);
  } catch (error) {
    throw new StackError(
      `${variable} is set, but no ${name} responds there: ${(error as Error).message || String(error)}`,
      `Start that ${name}, correct ${variable} (environment or .env), or unset it to let Quire run its own.`,
      { cause: error },
    );
  }
  return {
    name,
    origin: 'external',
    url,
    apiKey: name === 'qdrant' ? env.QDRANT_API_KEY || undefined : undefined,
    port: Number(new URL(url).port),
    pid: undefined,
    exited: new Promise(() => {}),
    lastLogLines: () => [],
    stop: async () => {},
    kill: async () => {
      throw new Error(`${name} was not started by this stack`);
    },
  };
}

const PROBES: Record<StoreName, (url: string, env: NodeJS.ProcessEnv) => Promise<void>> = {
  redis: (url) => probeRedis(url, ANSWER_LIMIT_MS),
  postgres: (url) => probePostgres(url, ANSWER_LIMIT_MS),
  qdrant: (url, env) => probeQdrant(url, ANSWER_LIMIT_MS, env.QDRANT_API_KEY),
};

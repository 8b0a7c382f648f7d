import { apiKeySecretSchema } from '@quire/shared/api-keys';
import { environment, loadConfig, wholeNumber } from '@quire/shared/config';
import { z } from 'zod';
import { isLoopback } from './auth/is-loopback.js';

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

/** Web origins, separated by commas. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every(isOrigin), {
    error: 'must be origins like https://book.example, separated by commas',
  });

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8787),
  AUTH: z.enum(['on', 'off']).optional(),
  API_KEY_SECRET: apiKeySecretSchema.optional(),
  REDIS_URL: environment.REDIS_URL,
  DATABASE_URL: environment.DATABASE_URL,
  QDRANT_URL: environment.QDRANT_URL,
  QDRANT_API_KEY: environment.QDRANT_API_KEY,
  QDRANT_COLLECTION: environment.QDRANT_COLLECTION,
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).default(100),
  MAX_CONCURRENT_PER_KEY: wholeNumber(1, 1_000_000).default(10),
  MAX_EXPECTED_WAIT_MS: wholeNumber(100, 600_000).default(30_000),
  RUN_DEADLINE_MS: wholeNumber(1000, 600_000).default(120_000),
  SEARCH_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  DRAIN_NOTICE_MS: wholeNumber(0, 5000).default(0),
  CORS_ORIGINS: origins.default([]),
  METRICS_HOST: environment.METRICS_HOST,
  METRICS_PORT: environment.METRICS_PORT,
  LOG_LEVEL: environment.LOG_LEVEL,
});

type Variables = z.infer<typeof variables>;

const gatewayEnvironment = variables
  // Also checked when single variables are wrong, so that every problem is reported at once.
  .superRefine(checkAuthentication, { when: () => true })
  .transform((config) => ({ ...config, AUTH: authentication(config) }));

export type GatewayConfig = z.infer<typeof gatewayEnvironment>;

export const loadGatewayConfig = (env?: Record<string, string | undefined>): Readonly<GatewayConfig> =>
  loadConfig(gatewayEnvironment, env);

function authentication({ AUTH, HOST = '127.0.0.1' }: Partial<Variables>): 'on' | 'off' {
  return AUTH ?? (isLoopback(HOST) ? 'off' : 'on');
}

function checkAuthentication(env: Partial<Variables>, context: z.RefinementCtx): void {
  const { HOST = '127.0.0.1', API_KEY_SECRET } = env;
  const problem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (env.AUTH === 'off' && !isLoopback(HOST)) {
    problem(
      'AUTH',
      `may be off on a loopback HOST only: on ${HOST} everyone who can reach the gateway could use it`,
    );
  }
  if (authentication(env) === 'on' && API_KEY_SECRET === undefined) {
    problem('API_KEY_SECRET', 'must be set while AUTH is on, which it is on every HOST but loopback');
  }
}

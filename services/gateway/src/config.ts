import { environment, loadConfig, wholeNumber } from '@quire/shared/config';
import { z } from 'zod';

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

/** Web origins, separated by commas. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every(isOrigin), {
    error: 'must be origins like https://book.example, separated by commas',
  });

const gatewayEnvironment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8787),
  REDIS_URL: environment.REDIS_URL,
  DATABASE_URL: environment.DATABASE_URL,
  QDRANT_URL: environment.QDRANT_URL,
  QDRANT_API_KEY: environment.QDRANT_API_KEY,
  QDRANT_COLLECTION: environment.QDRANT_COLLECTION,
  RUN_DEADLINE_MS: wholeNumber(1000, 600_000).default(120_000),
  SEARCH_TIMEOUT_MS: wholeNumber(100, 600_000).default(10_000),
  DRAIN_NOTICE_MS: wholeNumber(0, 5000).default(0),
  CORS_ORIGINS: origins.default([]),
  LOG_LEVEL: environment.LOG_LEVEL,
});

export type GatewayConfig = z.infer<typeof gatewayEnvironment>;

export const loadGatewayConfig = (env?: Record<string, string | undefined>): Readonly<GatewayConfig> =>
  loadConfig(gatewayEnvironment, env);

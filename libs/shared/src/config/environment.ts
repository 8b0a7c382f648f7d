import { z } from 'zod';

/** A whole number given as text, with bounds. */
export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};

/** Variables that several processes read; a service's `config.ts` picks those it needs. */
export const environment = {
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' }),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
  QDRANT_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s):// URL' }),
  QDRANT_API_KEY: z.string().optional(),
  QDRANT_COLLECTION: z
    .string()
    .regex(/^[\w.-]{1,255}$/, { error: 'may hold letters, digits, dot, dash and underscore' })
    // Collections of an index are named `<index>--<embedder>`.
    .refine((name) => !name.includes('--'), { error: 'may not hold two dashes in a row' })
    .default('quire'),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
} as const;

import { environment, loadConfig, wholeNumber } from '@quire/shared/config';
import { z } from 'zod';
import { modelPricesSchema } from './accounting/model-prices.js';

const modelList = z
  .string()
  .default('gemini-3.8-flash,gemini-3.5-flash-lite')
  .transform((list) => list.split(',').map((name) => name.trim()))
  .refine((names) => names.length > 0 && names.every((name) => name.length > 0), {
    error: 'must be a comma-separated list of model names',
  });

const modelPrices = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(modelPricesSchema)
  .default({});

const agentEnvironment = z.object({
  REDIS_URL: environment.REDIS_URL,
  DATABASE_URL: environment.DATABASE_URL,
  GEMINI_API_KEY: z.string().optional(),
  GEMINI_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http(s):// URL' })
    .default('https://generativelanguage.googleapis.com/v1beta/openai/'),
  GEMINI_MODELS: modelList,
  GEMINI_FIRST_TOKEN_TIMEOUT_MS: wholeNumber(100, 600_000).default(15_000),
  GEMINI_IDLE_TIMEOUT_MS: wholeNumber(100, 600_000).default(20_000),
  REWRITE_TIMEOUT_MS: wholeNumber(100, 600_000).default(5000),
  PROMPT_TOKEN_BUDGET: wholeNumber(2000, 1_000_000).default(16_000),
  MODEL_PRICES: modelPrices,
  RETRIEVAL_TIMEOUT_MS: wholeNumber(100, 600_000).default(30_000),
  RECONCILE_EVERY_MS: wholeNumber(100, 60_000).default(2000),
  DISCONNECT_GRACE_MS: wholeNumber(0, 600_000).default(10_000),
  THREAD_IDLE_MS: wholeNumber(1000, 31_536_000_000).default(3_600_000),
  ARCHIVE_EVERY_MS: wholeNumber(100, 3_600_000).default(60_000),
  AGENT_CONCURRENCY: wholeNumber(1, 1000).default(500),
  METRICS_HOST: environment.METRICS_HOST,
  METRICS_PORT: environment.METRICS_PORT,
  LOG_LEVEL: environment.LOG_LEVEL,
});

export type AgentConfig = z.infer<typeof agentEnvironment>;

export const loadAgentConfig = (env?: Record<string, string | undefined>): Readonly<AgentConfig> =>
  loadConfig(agentEnvironment, env);

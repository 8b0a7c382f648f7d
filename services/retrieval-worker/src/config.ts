import { environment, loadConfig, wholeNumber } from '@quire/shared/config';
import type { ConfidencePreset } from '@quire/shared/contracts';
import { z } from 'zod';
import { readPreset } from './confidence/read-preset.js';
import { cohereDimensions } from './embedding/cohere-dimensions.js';
import type { EmbedderAccess } from './embedding/embedders.js';
import type { EmbedderKind, EmbedderOptions } from './embedding/open-embedder.js';

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s):// URL' });
const weightError = 'must be a number from 0 to 100';

const variables = z.object({
  REDIS_URL: environment.REDIS_URL,
  QDRANT_URL: environment.QDRANT_URL,
  QDRANT_API_KEY: environment.QDRANT_API_KEY,
  QDRANT_COLLECTION: environment.QDRANT_COLLECTION,
  LOG_LEVEL: environment.LOG_LEVEL,
  EMBEDDER: z.enum(['cohere', 'openai', 'local']).optional(),
  COHERE_API_KEY: z.string().optional(),
  COHERE_BASE_URL: webAddress.optional(),
  COHERE_EMBED_MODEL: z.string().default('embed-english-v3.0'),
  COHERE_RERANK_MODEL: z.string().optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  EMBEDDING_BASE_URL: webAddress.default('https://api.openai.com/v1'),
  EMBEDDING_MODEL: z.string().default('text-embedding-3-small'),
  EMBEDDING_DIMENSIONS: wholeNumber(1, 65_536).default(1536),
  CONFIDENCE_PRESET: z.string().transform(asPreset).optional(),
  FUSION_WEIGHT: z.coerce
    .number({ error: weightError })
    .min(0, { error: weightError })
    .max(100, { error: weightError })
    .optional(),
  RETRIEVAL_NEIGHBOURS: z.string().transform(asTruth).default(false),
  RETRIEVAL_CONCURRENCY: wholeNumber(1, 1000).default(64),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
});
type Variables = z.infer<typeof variables>;

const configSchema = variables
  // Also checked when single variables are wrong, so that every problem is reported at once.
  .superRefine(checkEmbedder, { when: () => true })
  .transform((env) => ({
    redisUrl: env.REDIS_URL,
    logLevel: env.LOG_LEVEL,
    qdrant: { url: env.QDRANT_URL, apiKey: env.QDRANT_API_KEY, collection: env.QDRANT_COLLECTION },
    embedders: embedderAccess(env),
    reranker:
      env.COHERE_RERANK_MODEL === undefined
        ? undefined
        : { apiKey: env.COHERE_API_KEY ?? '', baseUrl: env.COHERE_BASE_URL, model: env.COHERE_RERANK_MODEL },
    preset: env.CONFIDENCE_PRESET,
    fusionWeight: env.FUSION_WEIGHT,
    neighbours: env.RETRIEVAL_NEIGHBOURS,
    retrievalConcurrency: env.RETRIEVAL_CONCURRENCY,
    metrics: env.METRICS_PORT === undefined ? undefined : { port: env.METRICS_PORT, host: env.METRICS_HOST },
  }));
export type RetrievalWorkerConfig = Readonly<z.infer<typeof configSchema>>;

export function readConfig(env: Record<string, string | undefined>): RetrievalWorkerConfig {
  return loadConfig(configSchema, env);
}

/** An issue of `z.stringbool` itself would keep the check of the embedder from running. */
function asTruth(text: string, context: z.RefinementCtx): boolean {
  const truth = z.stringbool().safeParse(text);
  if (truth.success) return truth.data;
  context.addIssue({ code: 'custom', message: 'must be true or false' });
  return z.NEVER;
}

function asPreset(nameOrFile: string, context: z.RefinementCtx): ConfidencePreset {
  try {
    return readPreset(nameOrFile);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
}

function chosenEmbedder(env: Partial<Variables>): EmbedderKind {
  if (env.EMBEDDER) return env.EMBEDDER;
  if (env.COHERE_API_KEY) return 'cohere';
  return env.EMBEDDING_API_KEY ? 'openai' : 'local';
}

function checkEmbedder(env: Partial<Variables>, context: z.RefinementCtx): void {
  const report = (name: keyof Variables, message: string) => {
    context.addIssue({ code: 'custom', path: [name], message });
  };
  const embedder = chosenEmbedder(env);
  const { COHERE_EMBED_MODEL: model = '' } = env;
  if (!env.COHERE_API_KEY && embedder === 'cohere')
    report('COHERE_API_KEY', 'is needed with EMBEDDER=cohere');
  if (!env.COHERE_API_KEY && env.COHERE_RERANK_MODEL)
    report('COHERE_API_KEY', 'is needed with COHERE_RERANK_MODEL');
  if (embedder === 'openai' && !env.EMBEDDING_API_KEY)
    report('EMBEDDING_API_KEY', 'is needed with EMBEDDER=openai');
  if (embedder === 'cohere' && !(model in cohereDimensions)) {
    report('COHERE_EMBED_MODEL', `must be one of ${Object.keys(cohereDimensions).join(', ')}`);
  }
}

function embedderAccess(env: Variables): EmbedderAccess {
  const { COHERE_API_KEY: cohereKey, EMBEDDING_API_KEY: openaiKey } = env;
  return {
    configured: embedderOptions(env),
    cohere: cohereKey === undefined ? undefined : { apiKey: cohereKey, baseUrl: env.COHERE_BASE_URL },
    openai: openaiKey === undefined ? undefined : { apiKey: openaiKey, baseUrl: env.EMBEDDING_BASE_URL },
  };
}

function embedderOptions(env: Variables): EmbedderOptions {
  const kind = chosenEmbedder(env);
  switch (kind) {
    case 'cohere':
      return {
        kind,
        apiKey: env.COHERE_API_KEY ?? '',
        baseUrl: env.COHERE_BASE_URL,
        model: env.COHERE_EMBED_MODEL,
        dimensions: cohereDimensions[env.COHERE_EMBED_MODEL] ?? 0,
      };
    case 'openai':
      return {
        kind,
        apiKey: env.EMBEDDING_API_KEY ?? '',
        baseUrl: env.EMBEDDING_BASE_URL,
        model: env.EMBEDDING_MODEL,
        dimensions: env.EMBEDDING_DIMENSIONS,
      };
    case 'local':
      return { kind };
  }
}

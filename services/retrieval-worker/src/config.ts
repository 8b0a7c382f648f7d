import { environment, loadConfig, wholeNumber } from '@quire/shared/config';
import { z } from 'zod';
import { confidencePresets, type ConfidencePreset, type PresetName } from './confidence/presets.js';
import { cohereDimensions } from './embedding/cohere-embedder.js';
import type { EmbedderKind, EmbedderOptions } from './embedding/open-embedder.js';

const presetNames = Object.keys(confidencePresets) as [PresetName, ...PresetName[]];

const presetOf = { cohere: 'tiered', openai: 'strict', local: 'local' } as const satisfies Record<
  EmbedderKind,
  PresetName
>;

const variables = z.object({
  REDIS_URL: environment.REDIS_URL,
  QDRANT_URL: environment.QDRANT_URL,
  QDRANT_API_KEY: environment.QDRANT_API_KEY,
  QDRANT_COLLECTION: environment.QDRANT_COLLECTION,
  LOG_LEVEL: environment.LOG_LEVEL,
  EMBEDDER: z.enum(['cohere', 'openai', 'local']).optional(),
  COHERE_API_KEY: z.string().optional(),
  COHERE_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  COHERE_EMBED_MODEL: z.string().default('embed-english-v3.0'),
  EMBEDDING_API_KEY: z.string().optional(),
  EMBEDDING_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.openai.com/v1'),
  EMBEDDING_MODEL: z.string().default('text-embedding-3-small'),
  EMBEDDING_DIMENSIONS: wholeNumber(1, 65_536).default(1536),
  CONFIDENCE_PRESET: z.enum(presetNames).optional(),
  RETRIEVAL_CONCURRENCY: wholeNumber(1, 1000).default(64),
});
type Variables = z.infer<typeof variables>;

const configSchema = variables
  // Also checked when single variables are wrong, so that every problem is reported at once.
  .superRefine(checkEmbedder, { when: () => true })
  .transform((env) => ({
    redisUrl: env.REDIS_URL,
    logLevel: env.LOG_LEVEL,
    qdrant: { url: env.QDRANT_URL, apiKey: env.QDRANT_API_KEY, collection: env.QDRANT_COLLECTION },
    embedder: embedderOptions(env),
    preset: confidencePresets[env.CONFIDENCE_PRESET ?? presetOf[chosenEmbedder(env)]] as ConfidencePreset,
    retrievalConcurrency: env.RETRIEVAL_CONCURRENCY,
  }));
export type RetrievalWorkerConfig = Readonly<z.infer<typeof configSchema>>;

export function readConfig(env: Record<string, string | undefined>): RetrievalWorkerConfig {
  return loadConfig(configSchema, env);
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
  if (embedder === 'cohere' && !env.COHERE_API_KEY)
    report('COHERE_API_KEY', 'is needed with EMBEDDER=cohere');
  if (embedder === 'openai' && !env.EMBEDDING_API_KEY)
    report('EMBEDDING_API_KEY', 'is needed with EMBEDDER=openai');
  if (embedder === 'cohere' && !(model in cohereDimensions)) {
    report('COHERE_EMBED_MODEL', `must be one of ${Object.keys(cohereDimensions).join(', ')}`);
  }
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

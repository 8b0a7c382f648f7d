import { environment, loadConfig, wholeNumber } from '@quire/shared/config';
import type { ConfidencePreset } from '@quire/shared/contracts';
import { z } from 'zod';
import { readPreset } from './confidence/read-preset.js';
import { cohereDimensions } from './embedding/cohere-dimensions.js';
import type { EmbedderKind } from './embedding/open-embedder.js';

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
  METRICS_HOST: environment.METRICS_HOST,
  METRICS_PORT: environment.METRICS_PORT,
});
type Variables = z.infer<typeof variables>;

const retrievalEnvironment = variables
  // Checked even if single variables are invalid, so that every problem is reported at once.
  .superRefine(checkEmbedder, { when: () => true })
  .transform((config) => ({ ...config, EMBEDDER: chosenEmbedder(config) }));

export type RetrievalConfig = z.infer<typeof retrievalEnvironment>;

export const loadRetrievalConfig = (env?: Record<string, string | undefined>): Readonly<RetrievalConfig> =>
  loadConfig(retrievalEnvironment, env);

/** An issue of `z.stringbool` itself would skip the check of the embedder. */
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

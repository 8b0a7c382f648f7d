import { InvalidConfiguration } from '@quire/shared/config';
import { describe, expect, test } from 'vitest';
import { confidencePresets } from './confidence/presets.js';
import { readConfig } from './config.js';

const stores = { REDIS_URL: 'redis://localhost:6379', QDRANT_URL: 'http://localhost:6333' };

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems;
    throw error;
  }
  return [];
}

describe('the embedder follows the keys that are there', () => {
  test.each([
    ['no key', {}, 'local'],
    ['an embedding key', { EMBEDDING_API_KEY: 'e' }, 'openai'],
    ['both keys', { COHERE_API_KEY: 'c', EMBEDDING_API_KEY: 'e' }, 'cohere'],
    ['a key, but another embedder asked for', { COHERE_API_KEY: 'c', EMBEDDER: 'local' }, 'local'],
    ['an empty key, as in a .env file', { COHERE_API_KEY: '' }, 'local'],
  ])('%s', (_, env, kind) => {
    expect(readConfig({ ...stores, ...env }).embedder.kind).toBe(kind);
  });
});

test.each([
  [{}, 'local'],
  [{ COHERE_API_KEY: 'c' }, 'tiered'],
  [{ EMBEDDING_API_KEY: 'e' }, 'strict'],
  [{ EMBEDDING_API_KEY: 'e', CONFIDENCE_PRESET: 'lenient' }, 'lenient'],
] as const)('the preset belongs to the embedder unless one is named: %j', (env, preset) => {
  expect(readConfig({ ...stores, ...env }).preset).toBe(confidencePresets[preset]);
});

test('models, dimensions and limits have defaults', () => {
  const config = readConfig({ ...stores, COHERE_API_KEY: 'c' });
  expect(config.embedder).toMatchObject({ model: 'embed-english-v3.0', dimensions: 1024 });
  expect(config).toMatchObject({
    retrievalConcurrency: 64,
    logLevel: 'info',
    qdrant: { collection: 'quire' },
  });
  expect(readConfig({ ...stores, EMBEDDING_API_KEY: 'e' }).embedder).toMatchObject({
    baseUrl: 'https://api.openai.com/v1',
    model: 'text-embedding-3-small',
    dimensions: 1536,
  });
});

test('every problem is reported at once, those between variables included', () => {
  const problems = problemsOf({
    QDRANT_URL: 'localhost',
    EMBEDDER: 'cohere',
    COHERE_EMBED_MODEL: 'embed-unheard-of',
    RETRIEVAL_CONCURRENCY: '0',
    CONFIDENCE_PRESET: 'bold',
  });
  expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual(
    [
      'COHERE_API_KEY',
      'COHERE_EMBED_MODEL',
      'CONFIDENCE_PRESET',
      'QDRANT_URL',
      'RETRIEVAL_CONCURRENCY',
      'REDIS_URL',
    ].sort(),
  );
});

test('an embedder without its key is refused', () => {
  expect(problemsOf({ ...stores, EMBEDDER: 'openai' })).toEqual([
    'EMBEDDING_API_KEY: is needed with EMBEDDER=openai',
  ]);
});

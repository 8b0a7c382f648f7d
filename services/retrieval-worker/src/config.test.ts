import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InvalidConfiguration } from '@quire/shared/config';
import { expect, it, onTestFinished } from 'vitest';
import { confidencePresets } from './confidence/presets.js';
import { loadRetrievalConfig } from './config.js';
import { embedderAccess, rerankerAccess } from './providers/provider-access.js';

const stores = { REDIS_URL: 'redis://localhost:6379', QDRANT_URL: 'http://localhost:6333' };

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadRetrievalConfig(env);
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error.problems;
    throw error;
  }
  return [];
}

it.each([
  ['no key', {}, 'local'],
  ['an embedding key', { EMBEDDING_API_KEY: 'e' }, 'openai'],
  ['both keys', { COHERE_API_KEY: 'c', EMBEDDING_API_KEY: 'e' }, 'cohere'],
  ['a key but another EMBEDDER', { COHERE_API_KEY: 'c', EMBEDDER: 'local' }, 'local'],
  ['an empty key, as in a .env file', { COHERE_API_KEY: '' }, 'local'],
])('the embedder for %s is chosen by the keys', (_, env, kind) => {
  expect(embedderAccess(loadRetrievalConfig({ ...stores, ...env })).configured.kind).toBe(kind);
});

const read = (preset: string) =>
  loadRetrievalConfig({ ...stores, CONFIDENCE_PRESET: preset }).CONFIDENCE_PRESET;

it('without CONFIDENCE_PRESET the preset is undefined, so that the index decides', () => {
  expect(loadRetrievalConfig(stores).CONFIDENCE_PRESET).toBeUndefined();
  expect(read('lenient')).toBe(confidencePresets.lenient);
});

it('CONFIDENCE_PRESET may name a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'quire-preset-')), 'preset.json');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  writeFileSync(file, JSON.stringify(confidencePresets.tiered));
  expect(read(file)).toEqual(confidencePresets.tiered);
  writeFileSync(file, JSON.stringify({ similarityThreshold: 2, levels: [] }));
  expect(() => read(file)).toThrow(/CONFIDENCE_PRESET: .*preset\.json is not a preset/);
  writeFileSync(file, '{');
  expect(() => read(file)).toThrow(/is not valid JSON/);
});

it('a CONFIDENCE_PRESET that is neither a name nor a file is refused with the known names', () => {
  expect(() => read('bold')).toThrow(
    /strict, tiered, lenient, text-embedding-3, cohere, words, local, or a preset file: bold cannot be read/,
  );
});

it('the keys of embedders that are not configured are kept for older indexes', () => {
  const config = loadRetrievalConfig({
    ...stores,
    COHERE_API_KEY: 'c',
    EMBEDDING_API_KEY: 'e',
    EMBEDDER: 'local',
  });
  expect(embedderAccess(config)).toMatchObject({
    configured: { kind: 'local' },
    cohere: { apiKey: 'c' },
    openai: { apiKey: 'e' },
  });
});

it.each([
  ['0', 0],
  ['0.35', 0.35],
  [undefined, undefined],
])('FUSION_WEIGHT=%s is a weight of %s', (text, weight) => {
  expect(loadRetrievalConfig({ ...stores, FUSION_WEIGHT: text }).FUSION_WEIGHT).toBe(weight);
});

it('COHERE_RERANK_MODEL configures the reranker, with the key of Cohere', () => {
  const keys = { COHERE_API_KEY: 'c', COHERE_BASE_URL: 'http://cohere.example' };
  expect(rerankerAccess(loadRetrievalConfig({ ...stores, ...keys }))).toBeUndefined();
  const config = loadRetrievalConfig({ ...stores, ...keys, COHERE_RERANK_MODEL: 'rerank-v4.0' });
  expect(rerankerAccess(config)).toEqual({
    apiKey: 'c',
    baseUrl: 'http://cohere.example',
    model: 'rerank-v4.0',
  });
});

it('COHERE_RERANK_MODEL without COHERE_API_KEY is refused', () => {
  expect(problemsOf({ ...stores, COHERE_RERANK_MODEL: 'rerank-v4.0' })).toEqual([
    'COHERE_API_KEY: is needed with COHERE_RERANK_MODEL',
  ]);
});

it('models, dimensions and limits have defaults', () => {
  const config = loadRetrievalConfig({ ...stores, COHERE_API_KEY: 'c' });
  expect(embedderAccess(config).configured).toMatchObject({ model: 'embed-english-v3.0', dimensions: 1024 });
  expect(config).toMatchObject({
    RETRIEVAL_CONCURRENCY: 64,
    LOG_LEVEL: 'info',
    QDRANT_COLLECTION: 'quire',
  });
  const openai = loadRetrievalConfig({ ...stores, EMBEDDING_API_KEY: 'e' });
  expect(embedderAccess(openai).configured).toMatchObject({
    baseUrl: 'https://api.openai.com/v1',
    model: 'text-embedding-3-small',
    dimensions: 1536,
  });
});

it('every problem is reported at once, including those between variables', () => {
  const problems = problemsOf({
    QDRANT_URL: 'localhost',
    EMBEDDER: 'cohere',
    COHERE_EMBED_MODEL: 'embed-unheard-of',
    RETRIEVAL_CONCURRENCY: '0',
    CONFIDENCE_PRESET: 'bold',
    RETRIEVAL_NEIGHBOURS: 'perhaps',
    FUSION_WEIGHT: 'much',
  });
  expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual(
    [
      'COHERE_API_KEY',
      'COHERE_EMBED_MODEL',
      'CONFIDENCE_PRESET',
      'FUSION_WEIGHT',
      'RETRIEVAL_NEIGHBOURS',
      'QDRANT_URL',
      'RETRIEVAL_CONCURRENCY',
      'REDIS_URL',
    ].sort(),
  );
});

it('EMBEDDER without the key of that embedder is refused', () => {
  expect(problemsOf({ ...stores, EMBEDDER: 'openai' })).toEqual([
    'EMBEDDING_API_KEY: is needed with EMBEDDER=openai',
  ]);
});

import { afterEach, expect, it } from 'vitest';
import { Embedders, makerOf, type EmbedderAccess } from './embedders.js';

const cohere = { kind: 'cohere', apiKey: 'c', model: 'embed-v4.0', dimensions: 1536 } as const;
const keys = {
  cohere: { apiKey: 'c' },
  openai: { apiKey: 'e', baseUrl: 'https://api.openai.com/v1' },
};
let embedders: Embedders;
const open = (access: Partial<EmbedderAccess>) =>
  (embedders = new Embedders({ configured: cohere, ...access }));

afterEach(() => embedders.close());

it('the configured embedder serves indexes that it has made', () => {
  const { configured } = open({});
  expect(embedders.find(makerOf(configured))).toBe(configured);
});

it.each([
  ['another model', { embedder: 'cohere:embed-english-v3.0', dimensions: 1024 }],
  ['another provider', { embedder: 'openai:text-embedding-3-small', dimensions: 512 }],
  ['a model whose name holds a colon', { embedder: 'openai:org/model:v2', dimensions: 8 }],
  ['the local one, which needs no key', { embedder: 'local:use-lite', dimensions: 512 }],
])('an index of %s is served by one embedder with the model and dimensions of the index', (_, maker) => {
  open(keys);
  const found = embedders.find(maker);
  expect(found && makerOf(found)).toEqual(maker);
  expect(embedders.find(maker)).toBe(found);
});

it.each([
  ['the key is missing', { embedder: 'openai:text-embedding-3-small', dimensions: 512 }],
  ['the kind is unknown', { embedder: 'voyage:voyage-3', dimensions: 512 }],
  ['the local model has another size', { embedder: 'local:use-lite', dimensions: 768 }],
])('an index cannot be served when %s', (_, maker) => {
  open({});
  expect(embedders.find(maker)).toBeUndefined();
});

import { createLogger } from '@quire/shared/logging';
import { dropIndex, qdrantUrl, uniqueCollection } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { confidencePresets } from '../confidence/presets.js';
import { Embedders } from '../embedding/embedders.js';
import { openQdrantCollections } from '../index/qdrant-index-collections.js';
import { CurrentIndex, type CurrentIndexParts } from './current-index.js';

async function activeIndex(operator: Pick<CurrentIndexParts, 'preset' | 'fusionWeight'>) {
  const collection = uniqueCollection();
  const embedders = new Embedders({
    configured: { kind: 'openai', apiKey: 'key', baseUrl: 'http://127.0.0.1:9', model: 'any', dimensions: 2 },
  });
  const index = new CurrentIndex({
    collections: openQdrantCollections({ url: qdrantUrl(), collection }),
    embedders,
    openQuestions: () => ({ vectorOf: () => Promise.resolve([1, 0]), close() {} }),
    onSearchBatch() {},
    logger: createLogger('test', 'silent'),
    ...operator,
  });
  onTestFinished(async () => {
    index.stop();
    await embedders.close();
    await dropIndex(collection);
  });
  await index.start();
  return index.get();
}

it('preset and fusion weight are by default those of the embedder that made the index', async () => {
  expect(await activeIndex({ preset: undefined, fusionWeight: undefined })).toMatchObject({
    preset: confidencePresets.words,
    fusionWeight: 2,
  });
});

it("the operator's preset and fusion weight take precedence, even a weight of 0", async () => {
  expect(await activeIndex({ preset: confidencePresets.lenient, fusionWeight: 0 })).toMatchObject({
    preset: confidencePresets.lenient,
    fusionWeight: 0,
  });
});

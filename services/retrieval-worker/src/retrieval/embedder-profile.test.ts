import { expect, test } from 'vitest';
import { profileOf } from './embedder-profile.js';

test.each([
  ['cohere:embed-english-v3.0', 'tiered', 2],
  ['openai:text-embedding-3-small', 'strict', 2],
  ['openai:a:model:with:colons', 'strict', 2],
  ['local:use-lite', 'local', 0.2],
  ['somebody-else:model', 'strict', 2],
])('%s is judged by the preset %s and its cosine weighs %d', (embedderId, preset, fusionWeight) => {
  expect(profileOf(embedderId)).toEqual({ preset, fusionWeight });
});

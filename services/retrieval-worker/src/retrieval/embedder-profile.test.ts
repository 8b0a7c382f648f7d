import { expect, it } from 'vitest';
import { profileOf } from './embedder-profile.js';

it.each([
  ['cohere:embed-english-v3.0', 'cohere', 2],
  ['cohere:embed-v4.0', 'cohere', 2],
  ['openai:text-embedding-3-small', 'text-embedding-3', 2],
  ['openai:text-embedding-3-large', 'text-embedding-3', 2],
  ['openai:openai/text-embedding-3-large', 'text-embedding-3', 2],
  ['openai:text-embedding-ada-002', 'words', 2],
  ['openai:gemini-embedding-001', 'words', 2],
  ['openai:not-text-embedding-3-small', 'words', 2],
  ['openai:a:model:with:colons', 'words', 2],
  ['local:use-lite', 'local', 0.2],
  ['unknown-provider:model', 'words', 2],
])('the embedder %s gets the preset %s and a cosine weight of %d', (embedderId, preset, fusionWeight) => {
  expect(profileOf(embedderId)).toEqual({ preset, fusionWeight });
});

import { startScriptedProviders } from '@quire/scripted-providers';
import { expect, it } from 'vitest';
import { describeRemoteEmbedder } from '../../test/remote-embedder-contract.js';
import { openCohereEmbedder } from './cohere-embedder.js';

const options = { apiKey: 'key', model: 'embed-english-v3.0', dimensions: 1024 };

describeRemoteEmbedder({
  name: 'Cohere',
  textsPerCall: 96,
  open: (providers, observe) => openCohereEmbedder({ ...options, baseUrl: providers.cohereBaseUrl }, observe),
  openUnreachable: () => openCohereEmbedder({ ...options, baseUrl: 'http://127.0.0.1:9' }),
});

it('a call to Cohere says whether its texts are queries or documents', async () => {
  const providers = await startScriptedProviders();
  const embedder = openCohereEmbedder({ ...options, baseUrl: providers.cohereBaseUrl });
  const { signal } = new AbortController();
  await embedder.embed(['robot'], 'query', signal);
  await embedder.embed(['robot'], 'document', signal);
  expect(providers.embeddings.requests.map(({ body }) => body.inputType)).toEqual([
    'search_query',
    'search_document',
  ]);
  await providers.close();
});

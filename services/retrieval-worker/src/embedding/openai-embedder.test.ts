import { startScriptedProviders } from '@quire/scripted-providers';
import { expect, it } from 'vitest';
import { describeRemoteEmbedder } from '../../test/remote-embedder-contract.js';
import { openOpenAiEmbedder } from './openai-embedder.js';

const options = { apiKey: 'key', model: 'text-embedding-3-small', dimensions: 256 };

describeRemoteEmbedder({
  name: 'OpenAI-compatible',
  textsPerCall: 100,
  open: (providers, observe) => openOpenAiEmbedder({ ...options, baseUrl: providers.openaiBaseUrl }, observe),
  openUnreachable: () => openOpenAiEmbedder({ ...options, baseUrl: 'http://127.0.0.1:9/v1' }),
});

it('a call to an OpenAI-compatible server names the configured model and dimensions', async () => {
  const providers = await startScriptedProviders();
  const embedder = openOpenAiEmbedder({ ...options, baseUrl: providers.openaiBaseUrl });
  await embedder.embed(['robot'], 'query', new AbortController().signal);
  expect(providers.embeddings.requests[0]?.body).toMatchObject({ model: options.model, dimension: 256 });
  await providers.close();
});

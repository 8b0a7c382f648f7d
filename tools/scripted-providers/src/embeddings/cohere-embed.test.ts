import { Cohere, type CohereError } from 'cohere-ai';
import { expect, it } from 'vitest';
import { cohereClient, useProviders } from '../../test/use-providers.js';
import { failWith, refuse } from '../behaviours/fault.js';
import { vectors } from './embeddings-behaviour.js';

const running = useProviders();
const request: Cohere.V2EmbedRequest = {
  model: 'embed-english-v3.0',
  texts: ['the vector index', 'bread and flour'],
  inputType: 'search_document',
  embeddingTypes: ['float'],
};
const textsOf = (length: number): string[] => Array.from({ length }, (_, index) => `text ${index}`);

it('float vectors come with the texts and the billed tokens', async () => {
  const response = await running.cohere.embed(request);
  expect(response.embeddings.float?.map((vector) => vector.length)).toEqual([1_024, 1_024]);
  expect(response.texts).toEqual(request.texts);
  expect(response.meta?.billedUnits?.inputTokens).toBe(8);
  expect(running.providers.embeddings.requests[0]?.body).toMatchObject({
    protocol: 'cohere',
    texts: request.texts,
    inputType: 'search_document',
  });
});

it('a document and a query of the same words have the same vector, on every call', async () => {
  const document = await running.cohere.embed(request);
  const query = await running.cohere.embed({ ...request, inputType: 'search_query' });
  expect(query.embeddings).toEqual(document.embeddings);
});

it('every requested embedding type is returned', async () => {
  const { embeddings } = await running.cohere.embed({
    ...request,
    model: 'embed-v4.0',
    outputDimension: 256,
    embeddingTypes: ['float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'],
  });
  const bytes = Buffer.from(embeddings.base64?.[0] ?? '', 'base64');
  expect(Array.from({ length: 256 }, (_, index) => bytes.readFloatLE(index * 4))).toEqual(
    embeddings.float?.[0],
  );
  expect(embeddings.int8?.[0]).toHaveLength(256);
  expect(embeddings.uint8?.[0]).toEqual(embeddings.int8?.[0]?.map((value) => value + 128));
  expect(embeddings.ubinary?.[0]).toHaveLength(32);
  expect(embeddings.binary?.[0]).toEqual(embeddings.ubinary?.[0]?.map((byte) => byte - 128));
});

it('96 texts are accepted', async () => {
  const { embeddings } = await running.cohere.embed({ ...request, texts: textsOf(96) });
  expect(embeddings.float).toHaveLength(96);
});

it("97 texts are refused with Cohere's message, without consuming a behaviour", async () => {
  running.providers.embeddings.enqueue(vectors());
  const failure = await running.cohere
    .embed({ ...request, texts: textsOf(97) })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Cohere.BadRequestError);
  expect(failure).toMatchObject({
    body: { message: 'invalid request: total number of texts must be at most 96 - received 97' },
  });
  expect(running.providers.embeddings.queued).toBe(1);
});

it('an empty list of texts is a bad request', async () => {
  await expect(running.cohere.embed({ ...request, texts: [] })).rejects.toBeInstanceOf(
    Cohere.BadRequestError,
  );
});

it('a v3 model needs an input type', async () => {
  const response = await fetch(`${running.providers.cohereBaseUrl}/v2/embed`, {
    method: 'POST',
    body: JSON.stringify({ model: 'embed-english-v3.0', texts: ['x'] }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    message: 'invalid request: valid input_type must be provided with the provided model',
  });
});

it.each([
  [401, Cohere.UnauthorizedError],
  [404, Cohere.NotFoundError],
  [422, Cohere.UnprocessableEntityError],
  [429, Cohere.TooManyRequestsError],
  [500, Cohere.InternalServerError],
  [503, Cohere.ServiceUnavailableError],
])('status %i raises the SDK error of its class with its Retry-After', async (status, errorClass) => {
  running.providers.embeddings.enqueue(failWith(status, { message: 'as scripted', retryAfterSeconds: 3 }));
  const failure = await running.cohere.embed(request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(errorClass);
  expect(failure).toMatchObject({ statusCode: status, body: { message: 'as scripted' } });
  expect((failure as CohereError).rawResponse?.headers.get('retry-after')).toBe('3');
});

it('a refused and a cut connection raise errors in the SDK', async () => {
  running.providers.embeddings.enqueue(refuse(), vectors({ cut: true }));
  await expect(running.cohere.embed(request)).rejects.toThrow('fetch failed');
  await expect(running.cohere.embed(request)).rejects.toThrow('terminated');
});

it('a stall is ended by an abort signal and recorded as aborted', async () => {
  running.providers.embeddings.enqueue(vectors({ stall: true }));
  const controller = new AbortController();
  const stalled = running.cohere.embed(request, { abortSignal: controller.signal });
  await expect.poll(() => running.providers.embeddings.requests).toHaveLength(1);
  controller.abort();
  await expect(stalled).rejects.toThrow('The user aborted a request');
  await expect.poll(() => running.providers.embeddings.requests[0]?.aborted).toBe(true);
});

it('the same protocol is served at the root', async () => {
  const root = cohereClient(new URL(running.providers.cohereBaseUrl).origin);
  expect((await root.embed(request)).embeddings.float).toHaveLength(2);
});

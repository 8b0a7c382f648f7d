import { classifyError } from '@quire/shared/errors';
import {
  failWith,
  refuse,
  startScriptedProviders,
  vectors,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Embedder } from '../src/embedding/embedder.js';
import type { ObserveEmbeddingCall } from '../src/embedding/embedding-call.js';
import { ProviderMisconfigured } from '../src/providers/provider-failure.js';
import { describeEmbedder } from './embedder-contract.js';
import { describeSharedCalls } from './shared-calls-contract.js';

export interface RemoteEmbedder {
  name: string;
  textsPerCall: number;
  open(providers: ScriptedProviders, observe?: ObserveEmbeddingCall): Embedder;
  /** With a base URL at which nothing listens. */
  openUnreachable(): Embedder;
}

/** The further contract of embedders behind HTTP; providers are scripted, the SDK is real. */
export function describeRemoteEmbedder({ name, textsPerCall, open, openUnreachable }: RemoteEmbedder): void {
  describeEmbedder(name, async () => {
    const providers = await startScriptedProviders();
    return { embedder: open(providers), broken: openUnreachable(), close: () => providers.close() };
  });

  describe(`${name} over HTTP`, () => {
    let providers: ScriptedProviders;
    let embedder: Embedder;
    const unaborted = () => new AbortController().signal;
    const failureOf = (failing: Embedder) =>
      failing.embed(['robot'], 'query', unaborted()).catch((error: unknown) => error);
    const failure = () => failureOf(embedder);

    beforeAll(async () => {
      providers = await startScriptedProviders();
      embedder = open(providers);
    });
    beforeEach(() => providers.reset());
    afterAll(() => providers.close());

    it(`a call has at most ${textsPerCall} texts, and no blank one`, async () => {
      await embedder.embed(
        ['', ...Array.from({ length: textsPerCall + 1 }, (_, i) => `joint ${i}`)],
        'document',
        unaborted(),
      );
      const sizes = providers.embeddings.requests.map(({ body }) => body.texts.length);
      expect(sizes.toSorted((a, b) => b - a)).toEqual([textsPerCall, 1]);
    });

    it('blank texts alone make no call', async () => {
      await embedder.embed(['', '  '], 'document', unaborted());
      expect(providers.embeddings.requests).toHaveLength(0);
    });

    it.each([
      ['a rate limit', failWith(429)],
      ['a server error', failWith(503)],
      ['a broken gateway', failWith(502, { body: '<html>' })],
      ['a refused connection', refuse()],
      ['a response that is cut off', vectors({ cut: true })],
    ])('%s is retried, and if it stays the error is retryable', async (_, behaviour) => {
      providers.embeddings.enqueue(behaviour);
      expect(await embedder.embed(['robot'], 'query', unaborted())).toHaveLength(1);
      expect(providers.embeddings.requests).toHaveLength(2);
      providers.embeddings.enqueue(behaviour, behaviour);
      expect(classifyError(await failure())).toMatchObject({
        code: 'RETRIEVAL_UNAVAILABLE',
        retryable: true,
      });
      expect(providers.embeddings.requests).toHaveLength(4);
    });

    it.each([429, 503])('the Retry-After of HTTP %i is passed on', async (status) => {
      providers.embeddings.enqueue(failWith(status), failWith(status, { retryAfterSeconds: 2 }));
      expect(await failureOf(open(providers))).toMatchObject({ retryAfterSeconds: 2 });
    });

    it.each([401, 403, 404, 400])('HTTP %i is a configuration error, and is not retried', async (status) => {
      providers.embeddings.enqueue(failWith(status));
      const error = await failure();
      expect(error).toBeInstanceOf(ProviderMisconfigured);
      expect(error).toMatchObject({ message: expect.stringContaining(`HTTP ${status}`) as string });
      expect(classifyError(error).retryable).toBe(false);
      expect(providers.embeddings.requests).toHaveLength(1);
    });

    it.each([
      ['too few vectors', vectors({ count: 0 }), '0 vectors for 1 texts'],
      ['too many vectors', vectors({ count: 2 }), '2 vectors for 1 texts'],
      ['another dimension', vectors({ dimension: 7 }), 'vectors of 7 dimensions'],
    ])('%s are refused with the numbers in the message', async (_, behaviour, words) => {
      providers.embeddings.enqueue(behaviour);
      expect(await failure()).toMatchObject({
        name: 'ProviderMisconfigured',
        message: expect.stringContaining(words) as string,
      });
    });

    it('an abort closes the connection to a provider that stalls', async () => {
      providers.embeddings.enqueue(vectors({ stall: true }));
      const controller = new AbortController();
      const pending = embedder.embed(['robot'], 'query', controller.signal);
      await expect.poll(() => providers.embeddings.requests.length).toBe(1);
      const reason = new Error('aborted by the caller');
      controller.abort(reason);
      await expect(pending).rejects.toBe(reason);
      await expect.poll(() => providers.embeddings.requests[0]?.aborted).toBe(true);
    });

    it('close() rejects a call that is being retried', async () => {
      const closed = open(providers);
      providers.embeddings.enqueue(failWith(503));
      const pending = closed.embed(['robot'], 'document', unaborted()).catch((error: unknown) => error);
      await expect.poll(() => providers.embeddings.requests.length).toBe(1);
      await closed.close();
      expect(classifyError(await pending).retryable).toBe(true);
      expect(providers.embeddings.requests).toHaveLength(1);
    });
  });

  describeSharedCalls({ name, textsPerCall, open });
}

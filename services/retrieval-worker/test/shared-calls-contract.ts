import {
  failWith,
  startScriptedProviders,
  vectors,
  type EmbeddingsRequest,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddingCall } from '../src/embedding/embedding-call.js';
import type { Embedder } from '../src/embedding/embedder.js';
import { ProviderMisconfigured } from '../src/providers/provider-failure.js';
import type { RemoteEmbedder } from './remote-embedder-contract.js';

const CALLS_AT_ONCE = 4;

/** How an embedder behind HTTP shares its calls among callers at the same time. */
export function describeSharedCalls({
  name,
  textsPerCall,
  open,
}: Pick<RemoteEmbedder, 'name' | 'textsPerCall' | 'open'>): void {
  describe(`${name} with several callers`, () => {
    let providers: ScriptedProviders;
    let embedder: Embedder;
    let observed: EmbeddingCall[];
    const unaborted = () => new AbortController().signal;
    const page = (number: number, chunks: number) =>
      Array.from({ length: chunks }, (_, i) => `chunk ${i} of page ${number}`);
    const embedPages = (pages: number, chunks: number) =>
      Promise.all(
        Array.from({ length: pages }, (_, i) => embedder.embed(page(i, chunks), 'document', unaborted())),
      );
    /** Largest first, since calls under way together arrive in any order. */
    const callSizes = () =>
      providers.embeddings.requests.map(({ body }) => body.texts.length).toSorted((a, b) => b - a);

    /** Holds the responses to requests with such a text until the returned function is called. */
    const hold = (word: string) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      providers.embeddings.byDefault(async ({ texts }: EmbeddingsRequest) => {
        if (texts.some((text) => text.includes(word))) await released;
        return vectors();
      });
      return release;
    };

    beforeEach(async () => {
      providers = await startScriptedProviders();
      observed = [];
      embedder = open(providers, (call) => observed.push(call));
    });
    afterEach(async () => {
      await embedder.close();
      await providers.close();
    });

    it('the limits of calls are stated', () => {
      expect(embedder.callLimits).toEqual({
        texts: textsPerCall,
        atOnce: { query: 2, document: CALLS_AT_ONCE },
      });
    });

    it('pages at the same time share calls, and each gets its own vectors', async () => {
      const pages = await embedPages(12, 10);
      expect(callSizes()).toEqual([textsPerCall, 120 - textsPerCall]);
      expect(pages[11]?.[9]).toEqual((await embedder.embed(page(11, 10), 'document', unaborted()))[9]);
    });

    it(`no more than ${CALLS_AT_ONCE} calls are under way at once, however many pages there are`, async () => {
      const release = hold('page');
      const pages = embedPages(6, textsPerCall);
      await expect.poll(() => providers.embeddings.requests.length).toBe(CALLS_AT_ONCE);
      // A superfluous call would have been sent before a later query returns.
      await embedder.embed(['robot'], 'query', unaborted());
      expect(callSizes().filter((size) => size > 1)).toHaveLength(CALLS_AT_ONCE);
      release();
      await pages;
      expect(callSizes().filter((size) => size > 1)).toHaveLength(6);
    });

    it('an aborted page does not stop the calls that it shares', async () => {
      const release = hold('page');
      const [staying, leaving] = [new AbortController(), new AbortController()];
      const kept = embedder.embed(page(1, 2), 'document', staying.signal);
      const left = embedder.embed(page(2, 2), 'document', leaving.signal);
      await expect.poll(callSizes).toEqual([4]);
      leaving.abort(new Error('aborted by the caller'));
      await expect(left).rejects.toThrow('aborted by the caller');
      release();
      expect(await kept).toHaveLength(2);
    });

    it('a text that the provider refuses does not fail the others', async () => {
      providers.embeddings.byDefault(({ texts }: EmbeddingsRequest) =>
        texts.includes('refused') ? failWith(400) : vectors(),
      );
      const questions = ['robot', 'refused', 'arm'].map((text) =>
        embedder.embed([text], 'query', unaborted()),
      );
      const [robot, refused, arm] = await Promise.allSettled(questions);
      expect([robot?.status, arm?.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(refused).toMatchObject({ reason: expect.any(ProviderMisconfigured) as Error });
    });

    it('a wrong key fails all texts with one call', async () => {
      providers.embeddings.byDefault(failWith(401));
      await expect(embedPages(3, 10)).rejects.toThrow('HTTP 401');
      expect(callSizes()).toEqual([30]);
    });

    it('the remaining texts of a page that failed are not sent', async () => {
      hold('page');
      providers.embeddings.enqueue(failWith(401));
      await expect(embedPages(1, 6 * textsPerCall)).rejects.toThrow('HTTP 401');
      await embedder.embed(['robot'], 'query', unaborted());
      expect(callSizes().filter((size) => size > 1).length).toBeLessThanOrEqual(CALLS_AT_ONCE);
    });

    it('every try is observed with its size and outcome', async () => {
      providers.embeddings.enqueue(failWith(503));
      await embedder.embed(['robot', 'arm'], 'query', unaborted());
      providers.embeddings.enqueue(failWith(401));
      await expect(embedder.embed(['robot'], 'document', unaborted())).rejects.toThrow('HTTP 401');
      expect(observed).toMatchObject([
        { purpose: 'query', texts: 2, outcome: 'unavailable' },
        { purpose: 'query', texts: 2, outcome: 'done' },
        { purpose: 'document', texts: 1, outcome: 'refused' },
      ]);
    });
  });
}

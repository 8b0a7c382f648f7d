import { classifyError } from '@quire/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedder } from '../src/embedding/embedder.js';

export interface EmbedderUnderTest {
  embedder: Embedder;
  /** The same embedder with a provider that fails. */
  broken: Embedder;
  close(): Promise<void>;
}

const passages = [
  'A Kalman filter combines noisy measurements of a moving thing.',
  'A publisher and a subscription match when their quality of service is compatible.',
  'Simmer the tomato sauce with basil for twenty minutes.',
];

const cosine = (a: number[], b: number[]) => {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** The contract of every embedder. */
export function describeEmbedder(name: string, open: () => Promise<EmbedderUnderTest>): void {
  describe(`${name} keeps the embedder's contract`, () => {
    let under: EmbedderUnderTest;
    const unaborted = () => new AbortController().signal;
    const embed = (texts: string[], purpose: 'query' | 'document' = 'document') =>
      under.embedder.embed(texts, purpose, unaborted());

    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    it('each text gets a vector of the stated dimensions', async () => {
      const vectors = await embed(passages);
      expect(vectors.map((vector) => vector.length)).toEqual(passages.map(() => under.embedder.dimensions));
    });

    it('a query is closest to the document with the same words, in the order of the documents', async () => {
      const documents = await embed(passages);
      for (const [position, passage] of passages.entries()) {
        const [query = []] = await embed([passage], 'query');
        const cosines = documents.map((document) => cosine(query, document));
        expect(cosines.indexOf(Math.max(...cosines))).toBe(position);
      }
    });

    it('a text gets the same vector alone and among others', async () => {
      const [alone] = await embed(['quality of service']);
      const [, inCompany] = await embed(['something else', 'quality of service']);
      expect(inCompany).toEqual(alone);
    });

    it('embedding no texts returns no vectors', async () => {
      expect(await embed([])).toEqual([]);
    });

    it('a blank text gets a vector of zeros, and the others keep their positions', async () => {
      const [first, empty, blank, last] = await embed(['robot arm', '', ' \n', 'gripper']);
      const zeros = Array.from({ length: under.embedder.dimensions }, () => 0);
      expect([empty, blank]).toEqual([zeros, zeros]);
      expect([first, last]).toEqual(await embed(['robot arm', 'gripper']));
    });

    it('more texts than fit in one call return in order', async () => {
      const many = Array.from({ length: 101 }, (_, i) => `joint ${i}`);
      const vectors = await embed(many);
      expect(vectors).toHaveLength(101);
      expect(vectors[100]).toEqual((await embed(['joint 100']))[0]);
    });

    it('an aborted call rejects with the reason of the signal', async () => {
      const reason = new Error('aborted by the caller');
      await expect(under.embedder.embed(['late'], 'query', AbortSignal.abort(reason))).rejects.toBe(reason);
      const controller = new AbortController();
      const pending = under.embedder.embed(passages, 'document', controller.signal);
      controller.abort(reason);
      await expect(pending).rejects.toBe(reason);
    });

    it('a provider that fails is a retryable error', async () => {
      const error: unknown = await under.broken
        .embed(['robot'], 'query', unaborted())
        .catch((failure: unknown) => failure);
      expect(classifyError(error)).toMatchObject({ code: 'RETRIEVAL_UNAVAILABLE', retryable: true });
    });
  });
}

import { DependencyUnavailable } from '@quire/shared/errors';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmbeddingPurpose } from './embedder.js';
import { ProviderMisconfigured } from '../providers/provider-failure.js';
import { createTryCall, type TryCall } from './try-calls.js';

const LONGER_THAN_ALL_PAUSES_MS = 10 * 60_000;
const away = (retryAfterSeconds?: number) =>
  new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'away', {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

let tryCall: TryCall;
/** Milliseconds from the first try to each try. */
let triedAtMs: number[];

/** A provider that fails with these errors one after the other, then succeeds. */
function failing(...errors: Error[]) {
  const startedAt = Date.now();
  triedAtMs = [];
  return async () => {
    triedAtMs.push(Date.now() - startedAt);
    const error = errors.shift();
    if (error) throw error;
    return 'vector';
  };
}
async function outcomeOf(
  purpose: EmbeddingPurpose,
  errors: Error[],
  { signal } = new AbortController(),
): Promise<unknown> {
  const outcome = tryCall(purpose, signal, failing(...errors)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(LONGER_THAN_ALL_PAUSES_MS);
  return outcome;
}
const pauses = () => triedAtMs.slice(1).map((at, i) => at - (triedAtMs[i] ?? 0));
const repeated = (count: number) => Array.from({ length: count }, () => away());

beforeEach(() => {
  vi.useFakeTimers();
  tryCall = createTryCall();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a query to a provider that is away is tried twice, with a short pause', async () => {
  expect(await outcomeOf('query', [away()])).toBe('vector');
  expect(pauses()[0]).toBeGreaterThanOrEqual(100);
  expect(pauses()[0]).toBeLessThanOrEqual(200);
  expect(await outcomeOf('query', repeated(2))).toBeInstanceOf(DependencyUnavailable);
  expect(triedAtMs).toHaveLength(2);
});

it('a document for a provider that is away is tried six times, with pauses that double', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(await outcomeOf('document', repeated(5))).toBe('vector');
  expect(pauses()).toEqual([500, 1000, 2000, 4000, 8000]);
  expect(await outcomeOf('document', repeated(6))).toBeInstanceOf(DependencyUnavailable);
  expect(triedAtMs).toHaveLength(6);
});

it('pauses are randomized, so that workers do not retry at the same time', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  await outcomeOf('document', repeated(2));
  expect(pauses()).toEqual([750, 1500]);
});

it('a refusal is not retried', async () => {
  const refusal = new ProviderMisconfigured('wrong key');
  expect(await outcomeOf('document', [refusal])).toBe(refusal);
  expect(triedAtMs).toHaveLength(1);
});

it('a document is retried only after the Retry-After of its provider', async () => {
  await outcomeOf('document', [away(40)]);
  expect(pauses()[0]).toBe(40_000);
});

it('other documents wait for the Retry-After as well, and for a longer one sent in the meantime', async () => {
  const { signal } = new AbortController();
  const [first, other] = [vi.fn(failing(away(10))), vi.fn(failing())];
  const tried = () => [first, other].map(({ mock }) => mock.calls.length);
  const documents = [tryCall('document', signal, first)];
  await vi.advanceTimersByTimeAsync(5000);
  documents.push(tryCall('document', signal, other));
  const query = tryCall('query', signal, failing(away(40)));
  await vi.advanceTimersByTimeAsync(39_999);
  expect(tried()).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(tried()).toEqual([2, 1]);
  expect(await Promise.all([...documents, query])).toEqual(['vector', 'vector', 'vector']);
});

it('a query does not wait for the Retry-After', async () => {
  await outcomeOf('query', [away(40)]);
  expect(pauses()[0]).toBeLessThanOrEqual(200);
});

it.each([
  ['a pause of our own', undefined],
  ['a pause that the provider asked for', 40],
])('an abort ends %s at once', async (_, retryAfterSeconds) => {
  const controller = new AbortController();
  const reason = new Error('aborted by the caller');
  const aborted = tryCall('document', controller.signal, failing(away(retryAfterSeconds), away(60)));
  const failure = aborted.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(retryAfterSeconds === undefined ? 100 : 2000);
  controller.abort(reason);
  expect(await failure).toBe(reason);
  expect(triedAtMs).toHaveLength(1);
});

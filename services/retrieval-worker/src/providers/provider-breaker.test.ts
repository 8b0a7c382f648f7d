import { DependencyUnavailable } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ProviderMisconfigured, TextsRefused } from './provider-failure.js';
import { ProviderBreaker } from './provider-breaker.js';

const OPEN_MS = 5000;
const away = new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'away');

let breaker: ProviderBreaker;
let logged: string[];
const work = vi.fn<() => Promise<string>>();

const fails = (error: Error) => work.mockRejectedValueOnce(error);
const ask = () => breaker.call(work).catch((error: unknown) => error);

beforeEach(() => {
  vi.useFakeTimers();
  logged = [];
  const log = (level: string) => (_: unknown, message: string) => logged.push(`${level}: ${message}`);
  const logger = { warn: log('warn'), error: log('error'), info: log('info') } as unknown as Logger;
  breaker = new ProviderBreaker({ work: 'Embedding', openMs: OPEN_MS, logger });
  work.mockReset().mockResolvedValue('vector');
});
afterEach(() => vi.useRealTimers());

it.each([
  ['away', away, 'warn: Embedding is unavailable'],
  ['misconfigured', new ProviderMisconfigured('wrong key'), 'error: Embedding is misconfigured'],
])(
  'after a provider was %s calls fail at once with its error, until the breaker has been open long enough',
  async (_, error, message) => {
    fails(error);
    expect(await ask()).toBe(error);
    vi.advanceTimersByTime(OPEN_MS - 1);
    expect(await ask()).toBe(error);
    expect(work).toHaveBeenCalledTimes(1);
    expect(logged).toEqual([message]);
  },
);

it('a breaker that was open long enough lets one call through, whose success closes it', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(OPEN_MS);
  expect(await Promise.all([ask(), ask()])).toEqual(['vector', away]);
  expect(await ask()).toBe('vector');
  expect(logged).toEqual(['warn: Embedding is unavailable', 'info: Embedding works again']);
});

it('a provider that sends a longer Retry-After is not called before it is over', async () => {
  fails(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'busy', { retryAfterSeconds: 30 }));
  await ask();
  vi.advanceTimersByTime(29_999);
  await ask();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(await ask()).toBe('vector');
});

it('a probe that fails opens the breaker again without another log message', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(OPEN_MS);
  fails(away);
  await ask();
  vi.advanceTimersByTime(OPEN_MS - 1);
  await ask();
  expect(work).toHaveBeenCalledTimes(2);
  expect(logged).toHaveLength(1);
});

it('after an aborted probe the next call probes', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(OPEN_MS);
  fails(new Error('aborted'));
  await ask();
  expect(await ask()).toBe('vector');
});

it.each([
  ['a refusal that may concern one question', new TextsRefused('too long')],
  ['an abort', new Error('aborted')],
])('%s does not open the breaker', async (_, error) => {
  fails(error);
  expect(await ask()).toBe(error);
  expect(await ask()).toBe('vector');
  expect(logged).toEqual([]);
});

it('an outage of another kind is logged', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(OPEN_MS);
  fails(new ProviderMisconfigured('wrong key'));
  await ask();
  expect(logged).toHaveLength(2);
});

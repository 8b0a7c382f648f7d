import { DependencyUnavailable } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProviderMisconfigured, TextsRefused } from './provider-failure.js';
import { OutageRest } from './outage-rest.js';

const REST_MS = 5000;
const away = new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'away');

let rest: OutageRest;
let logged: string[];
const work = vi.fn<() => Promise<string>>();

const fails = (error: Error) => work.mockRejectedValueOnce(error);
const ask = () => rest.guard(work).catch((error: unknown) => error);

beforeEach(() => {
  vi.useFakeTimers();
  logged = [];
  const log = (level: string) => (_: unknown, message: string) => logged.push(`${level}: ${message}`);
  const logger = { warn: log('warn'), error: log('error'), info: log('info') } as unknown as Logger;
  rest = new OutageRest({ work: 'Embedding', restMs: REST_MS, logger });
  work.mockReset().mockResolvedValue('vector');
});
afterEach(() => vi.useRealTimers());

test.each([
  ['away', away, 'warn: Embedding is out of service'],
  ['misconfigured', new ProviderMisconfigured('wrong key'), 'error: Embedding is misconfigured'],
])(
  'after the provider was %s nobody asks it for a while, and all hear what it said',
  async (_, error, message) => {
    fails(error);
    expect(await ask()).toBe(error);
    vi.advanceTimersByTime(REST_MS - 1);
    expect(await ask()).toBe(error);
    expect(work).toHaveBeenCalledTimes(1);
    expect(logged).toEqual([message]);
  },
);

test('after the rest one is let through, and its success ends the outage', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(REST_MS);
  expect(await Promise.all([ask(), ask()])).toEqual(['vector', away]);
  expect(await ask()).toBe('vector');
  expect(logged).toEqual(['warn: Embedding is out of service', 'info: Embedding works again']);
});

test('a provider that asks for a longer rest gets it', async () => {
  fails(new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'busy', { retryAfterSeconds: 30 }));
  await ask();
  vi.advanceTimersByTime(29_999);
  await ask();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(await ask()).toBe('vector');
});

test('a probe that fails begins another rest of the same outage, which is not told again', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(REST_MS);
  fails(away);
  await ask();
  vi.advanceTimersByTime(REST_MS - 1);
  await ask();
  expect(work).toHaveBeenCalledTimes(2);
  expect(logged).toHaveLength(1);
});

test('a probe that nobody waited for tells nothing: the next one is the probe', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(REST_MS);
  fails(new Error('aborted'));
  await ask();
  expect(await ask()).toBe('vector');
});

test.each([
  ['a refusal that may be about one question', new TextsRefused('too long')],
  ['an abort', new Error('nobody waits')],
])('%s does not silence the others', async (_, error) => {
  fails(error);
  expect(await ask()).toBe(error);
  expect(await ask()).toBe('vector');
  expect(logged).toEqual([]);
});

test('an outage that turns into another is told', async () => {
  fails(away);
  await ask();
  vi.advanceTimersByTime(REST_MS);
  fails(new ProviderMisconfigured('wrong key'));
  await ask();
  expect(logged).toHaveLength(2);
});

import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCredentials, noCredentials } from './callers.js';
import { EXPECTED_GUARDED, EXPECTED_OPEN } from './expected-statuses.js';
import { AT_ONCE, startFuzzedGateway } from './fuzzed-gateway.js';
import { httpRequests } from './http-requests.js';
import { rawPieces } from './raw-bytes.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const BATCH = 250;
/** In batches. The first of each kind come before the first measurement, so that pools and caches are filled. */
const WARM_UP = 2;
const HTTP = 34;
const RAW = 24;
const GUARDED_HTTP = 24;

interface Found {
  problem: string;
  request: string;
}

/** Sends generated requests, some at a time, and returns the problems of the responses. */
async function sendAll<T>(
  arbitrary: fc.Arbitrary<T>,
  batches: number,
  seed: number,
  send: (value: T) => Promise<string | undefined>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const next = fc.sample(arbitrary, { numRuns: BATCH, seed: seed + batch }).values();
    const client = async () => {
      for (const value of next) {
        const problem = await send(value).catch((error: unknown) => String(error));
        if (problem) found.push({ problem, request: describe(value) });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, client));
  }
  return found;
}

const describe = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) =>
    isBufferJson(part) ? Buffer.from(part.data).toString('latin1').slice(0, 400) : part,
  ).slice(0, 1500);
const isBufferJson = (part: unknown): part is { type: 'Buffer'; data: number[] } =>
  typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer';

type FuzzedGateway = Awaited<ReturnType<typeof startFuzzedGateway>>;

/** Sends a first part, then the rest; expects no problem, no leak, and each of these statuses at least once. */
async function expectToSurvive(
  gateway: FuzzedGateway,
  rounds: (batches: 'first' | 'rest', seed: number) => Promise<Found[]>,
  expected: Record<string, readonly number[]>,
) {
  process.stdout.write(`fuzz: FUZZ_SEED=${SEED} repeats these requests\n`);
  const found = await rounds('first', SEED);
  const before = await gateway.measure();
  found.push(...(await rounds('rest', SEED + WARM_UP)));
  process.stdout.write(`fuzz: responses by status\n${gateway.tally.toString()}\n`);
  const seen = {
    seed: SEED,
    found: found.slice(0, 10),
    output: gateway.output(),
    ended: gateway.hasEnded(),
    neverSeen: gateway.tally.missing(expected),
  };
  expect(seen).toEqual({ seed: SEED, found: [], output: '', ended: false, neverSeen: [] });
  await gateway.expectNoLeak(before);
}

const share = (part: 'first' | 'rest', batches: number) => (part === 'first' ? WARM_UP : batches - WARM_UP);

it(`a gateway without authentication survives ${(HTTP + RAW) * BATCH} generated requests without a wrong response or a leak`, async () => {
  const gateway = await startFuzzedGateway('off');
  const rounds = async (part: 'first' | 'rest', seed: number) => [
    ...(await sendAll(httpRequests(noCredentials), share(part, HTTP), seed, gateway.http)),
    ...(await sendAll(rawPieces, share(part, RAW), seed, gateway.raw)),
  ];
  await expectToSurvive(gateway, rounds, EXPECTED_OPEN);
});

it(`a gateway with authentication survives ${GUARDED_HTTP * BATCH} generated requests with valid and invalid keys`, async () => {
  const gateway = await startFuzzedGateway('on');
  const rounds = (part: 'first' | 'rest', seed: number) =>
    sendAll(httpRequests(anyCredentials), share(part, GUARDED_HTTP), seed, gateway.http);
  await expectToSurvive(gateway, rounds, EXPECTED_GUARDED);
});

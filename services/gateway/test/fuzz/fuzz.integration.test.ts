import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { eventually } from '@quire/testkit';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { apiGroups } from '../../src/openapi/api-groups.js';
import { openApiDocument } from '../../src/openapi/openapi-document.js';
import type { RawAnswer } from '../raw-answers.js';
import { rawRequest } from '../raw-request.js';
import { compareWithDocument } from './against-document.js';
import { startGatewayProcess, type GatewayInProcess } from './gateway-in-process.js';
import { httpRequest, type FuzzRequest } from './http-requests.js';
import { playWorkers } from './play-workers.js';
import { rawPieces } from './raw-bytes.js';
import { sendRequest } from './send-request.js';
import { problemOf } from './verdict.js';

const SEED = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));
const HTTP_REQUESTS = 14_000;
const RAW_REQUESTS = 6500;
/** Sent before the first measurement, so that pools and caches are filled. */
const WARM_UP = 1500;
const BATCH = 250;
const AT_ONCE = 24;
/** A leak of half a kilobyte per request would be more. */
const HEAP_GROWTH_BYTES = 8 * 1024 * 1024;

const EVERY_KIND = ['200', '202', '400', '404', '405', '409', '413', '415', '431'];

interface Found {
  problem: string;
  request: string;
}

/** Sends generated requests, some at a time, and gives what is wrong with the answers. */
async function throwAll<T>(
  arbitrary: fc.Arbitrary<T>,
  count: number,
  seed: number,
  send: (value: T) => Promise<string | undefined>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let done = 0; done < count; done += BATCH) {
    const values = fc.sample(arbitrary, { numRuns: BATCH, seed: seed + done });
    const next = values.values();
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

function fuzzers(gateway: GatewayInProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const tally: Record<number, number> = {};
  const count = ({ status }: RawAnswer) => (tally[status] = (tally[status] ?? 0) + 1);
  const compare = compareWithDocument(openApiDocument(apiGroups, ''));
  const runs: string[] = [];
  const http = async (request: FuzzRequest) => {
    const path = request.path.replace('{run}', () => runs.at(-1 - (runs.length % 7)) ?? 'none');
    const answer = await sendRequest(gateway.url, { ...request, path }, agent);
    if (!answer) return undefined;
    count(answer);
    const id = answer.headers['x-request-id'];
    if (answer.status === 202 && id !== undefined) runs.push(id);
    return problemOf(answer, request.method) ?? compare(request.method, path, answer);
  };
  const raw = async (pieces: Buffer[]) => {
    const answers = await rawRequest(gateway.url, pieces, { halfClose: 'when idle' });
    answers.forEach(count);
    const sent = Buffer.concat(pieces).toString('latin1');
    return answers.map((answer) => problemOf(answer, sent)).find((problem) => problem !== undefined);
  };
  const rounds = async (share: number, seed: number) => [
    ...(await throwAll(httpRequest, HTTP_REQUESTS * share, seed, http)),
    ...(await throwAll(rawPieces, RAW_REQUESTS * share, seed, raw)),
  ];
  return { rounds, tally, close: () => agent.destroy() };
}

it(
  `survives ${HTTP_REQUESTS + RAW_REQUESTS} requests that nobody sane would send`,
  { timeout: 300_000 },
  async () => {
    process.stdout.write(`fuzz: FUZZ_SEED=${SEED} repeats these requests\n`);
    const gateway = await startGatewayProcess();
    onTestFinished(() => gateway.close());
    playWorkers(gateway);
    const redis = new Redis(gateway.redisUrl);
    onTestFinished(() => redis.disconnect());
    const { rounds, tally, close } = fuzzers(gateway);

    const warmUp = WARM_UP / (HTTP_REQUESTS + RAW_REQUESTS);
    const found = await rounds(warmUp, SEED);
    const before = await gateway.measure();
    found.push(...(await rounds(1 - warmUp, SEED + HTTP_REQUESTS)));
    close();
    process.stdout.write(`fuzz: answers by status ${JSON.stringify(tally)}\n`);

    const seen = {
      seed: SEED,
      found: found.slice(0, 10),
      output: gateway.output(),
      ended: gateway.hasEnded(),
    };
    expect(seen).toEqual({ seed: SEED, found: [], output: '', ended: false });
    // Requests that are all refused at the door would prove little.
    expect(Object.keys(tally)).toEqual(expect.arrayContaining(EVERY_KIND));
    await eventually(
      async () => {
        const after = await gateway.measure();
        expect(after.connections).toBe(0);
        expect(after.sockets).toBeLessThanOrEqual(before.sockets - before.connections);
        expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_GROWTH_BYTES);
        expect(await redis.pubsub('CHANNELS', 'quire:run:*')).toEqual([]);
      },
      { timeoutMs: 60_000 },
    );
  },
);

import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { openDatabase } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { eventually } from '@quire/testkit';
import { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import { routeGroups } from '../../src/routes.js';
import { openApiDocument } from '../../src/openapi/openapi-document.js';
import { rawRequest } from '../raw-request.js';
import { compareWithDocument } from './against-document.js';
import { createKeys, KEY_TENANT } from './callers.js';
import { EVERYWHERE, RAW_BYTES } from './expected-statuses.js';
import { startGatewayProcess, type Holdings } from './gateway-in-process.js';
import type { FuzzRequest } from './http-requests.js';
import { storeKnown } from './known-ids.js';
import { operationFinder } from './operation-of.js';
import { playWorkers } from './play-workers.js';
import { sendRequest } from './send-request.js';
import { Tally } from './tally.js';
import { problemOf } from './verdict.js';

export const AT_ONCE = 24;
/** A leak of half a kilobyte per request would be more. */
const HEAP_GROWTH_BYTES = 8 * 1024 * 1024;

const document = openApiDocument(routeGroups, '');
const operationOf = operationFinder(document);
const compare = compareWithDocument(document);

/** A gateway process with workers; `http` and `raw` send a request and return the problem of the response. */
export async function startFuzzedGateway(auth: 'on' | 'off') {
  const gateway = await startGatewayProcess(auth);
  onTestFinished(() => gateway.close());
  const db = openDatabase(gateway.databaseUrl, createLogger('test', 'silent'), 4);
  onTestFinished(() => db.destroy());
  const redis = new Redis(gateway.redisUrl);
  onTestFinished(() => redis.disconnect());
  playWorkers(gateway.redisUrl, db);
  await storeKnown(db, auth === 'on' ? KEY_TENANT : 'local');
  const withKeys = await createKeys(db);

  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  onTestFinished(() => agent.destroy());
  const tally = new Tally();
  const runs: string[] = [];
  const http = async (request: FuzzRequest) => {
    const path = request.path.replace('{run}', () => runs.at(-1 - (runs.length % 7)) ?? randomUUID());
    const credentials = withKeys(request.credentials);
    const answer = await sendRequest(gateway.url, { ...request, path, credentials }, agent);
    if (!answer) return undefined;
    const operation = operationOf(request.method, path);
    tally.count(EVERYWHERE, answer.status);
    if (operation) tally.count(operation.name, answer.status);
    const id = answer.headers['x-request-id'];
    if (answer.status === 202 && id !== undefined) runs.push(id);
    return problemOf(answer, request.method) ?? (operation && compare(operation, answer));
  };
  const raw = async (pieces: Buffer[]) => {
    const answers = await rawRequest(gateway.url, pieces, { halfClose: 'when idle' });
    for (const { status } of answers) tally.count(RAW_BYTES, status);
    const sent = Buffer.concat(pieces).toString('latin1');
    return answers.map((answer) => problemOf(answer, sent)).find((problem) => problem !== undefined);
  };

  /** Expects no more connections and subscriptions than before, and hardly more memory. */
  const expectNoLeak = async (before: Holdings) => {
    agent.destroy();
    await eventually(async () => {
      const after = await gateway.measure();
      expect(after.connections).toBe(0);
      expect(after.sockets).toBeLessThanOrEqual(before.sockets - before.connections);
      expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_GROWTH_BYTES);
      expect(await redis.pubsub('CHANNELS', 'quire:run:*')).toEqual([]);
    });
  };
  const { measure, output, hasEnded } = gateway;
  return { http, raw, tally, measure, output, hasEnded, expectNoLeak };
}

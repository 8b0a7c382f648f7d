import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { findRun } from '@quire/shared/database';
import { redisKeys } from '@quire/shared/redis';
import { eventually } from '@quire/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { completed, deltas, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { parseResponses } from './raw-responses.js';

/** More than a stream may keep for a client that does not read. */
const LONG = 'x'.repeat(40_000);

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** A run with a long event that is to be cancelled when its client leaves. */
async function longRun(): Promise<string> {
  const body = { message: 'How do nodes talk?', on_disconnect: 'cancel' };
  const accepted = await gateway.post('/chat', body, { prefer: 'respond-async' });
  const { request_id } = (await accepted.json()) as { request_id: string };
  await gateway.runLog.append(request_id, 1, deltas(request_id, LONG));
  return request_id;
}
const longRuns = (count: number) => Promise.all(Array.from({ length: count }, longRun));

/** Requests streams over one connection without waiting for responses. */
function followAtOnce(runIds: readonly string[]) {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const bytes: Buffer[] = [];
  socket.on('data', (more: Buffer) => bytes.push(more));
  socket.write(runIds.map((id) => `GET /chat/${id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  return { socket, streams: () => parseResponses(Buffer.concat(bytes)).map(({ body }) => body) };
}
/** Which of these runs have a subscriber. */
async function followed(runIds: readonly string[]): Promise<string[]> {
  const channels = runIds.map(redisKeys.runChannel);
  const counts = (await gateway.redis.pubsub('NUMSUB', ...channels)) as (string | number)[];
  return runIds.filter((_, i) => Number(counts[2 * i + 1]) > 0);
}
const connections = promisify(gatewayConnections);
function gatewayConnections(report: (error: Error | null, count: number) => void): void {
  gateway.server.getConnections(report);
}

it('a client that leaves keeps nothing open, however many streams it has requested on its connection', async () => {
  const runIds = await longRuns(20);
  const [first = ''] = runIds;
  const before = await connections();
  const { socket } = followAtOnce(runIds);
  await once(socket, 'data');
  // Requested later and followed: so the others would be as well.
  const laterId = await longRun();
  const later = await gateway.get(`/chat/${laterId}/stream`);
  await eventually(async () => expect(await followed([laterId])).toEqual([laterId]));
  socket.destroy();
  await later.body?.cancel();
  await eventually(async () => {
    expect(await followed([...runIds, laterId])).toEqual([]);
    expect(await connections()).toBeLessThanOrEqual(before);
    expect(await findRun(gateway.db, first)).toMatchObject({ abandoned: true });
  });
});

it('pipelined streams are sent whole, one after the other', async () => {
  const runIds = await longRuns(5);
  const { socket, streams } = followAtOnce(runIds);
  for (const id of runIds) await gateway.conclude(completed(id));
  await eventually(() => {
    expect(streams()).toHaveLength(runIds.length);
    for (const [i, stream] of streams().entries()) {
      expect(stream).toContain(`"request_id":"${runIds[i]}","text":"${LONG}`);
      expect(stream).toContain('event: completed');
    }
  });
  socket.destroy();
});

import { setTimeout as sleep } from 'node:timers/promises';
import { openQueue } from '@quire/shared/jobs';
import { eventually, readEvents } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { completed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';

const idOf = async (response: Response) =>
  ((await response.json()) as Record<string, string>)['request_id'] ?? '';
const ask = async (gateway: GatewayUnderTest) =>
  idOf(await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' }));

/** What a client of a stream is told, as it comes. */
function follow(gateway: GatewayUnderTest, runId: string, after = 0) {
  const told: { id: string; type: string; position: unknown }[] = [];
  const client = new AbortController();
  onTestFinished(() => client.abort());
  const ended = (async () => {
    const headers = { 'last-event-id': String(after) };
    const response = await fetch(`${gateway.url}/chat/${runId}/stream`, { headers, signal: client.signal });
    for await (const { id, event, data } of readEvents(response)) {
      const { position } = JSON.parse(data) as { position?: number };
      told.push({ id: id ?? '', type: event ?? '', position });
    }
  })();
  ended.catch(() => {});
  return { told, ended, places: () => told.filter(({ type }) => type === 'queued').map((e) => e.position) };
}

it('whoever waits is told how the line moves, once on however many gateways, until a worker begins', async () => {
  const gateway = await startGateway();
  const other = await startGateway({ redisUrl: gateway.redisUrl, databaseUrl: gateway.databaseUrl });
  onTestFinished(async () => {
    await other.close();
    await gateway.close();
  });
  const queue = openQueue('chat', gateway.redis);
  const [first, second, runId] = [await ask(gateway), await ask(gateway), await ask(gateway)];
  const streams = [
    follow(gateway, runId),
    follow(other, runId),
    follow(other, runId),
    follow(gateway, runId, 1),
  ];
  const [one, , , resumed] = streams;
  await eventually(() => expect(one?.places()).toEqual([3]));
  // Long enough for several looks at a line that does not move.
  await sleep(5000);
  await queue.remove(first);
  await eventually(() => expect(one?.places()).toEqual([3, 2]));
  await queue.remove(second);
  await eventually(() => expect(resumed?.places()).toEqual([2, 1]));
  // A worker has begun; the job is still in the line as far as the gateways can see.
  await gateway.runLog.append(runId, 1, [
    { type: 'status', data: { request_id: runId, state: 'retrieving' } },
  ]);
  await queue.remove(runId);
  await gateway.conclude(completed(runId));
  for (const { ended } of streams) await ended;
  for (const { told } of streams.slice(0, 3)) {
    expect(told.map(({ type }) => type)).toEqual(['queued', 'queued', 'queued', 'status', 'completed']);
    expect(told.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  }
});

import { openQueue } from '@quire/shared/jobs';
import { eventually, readEvents } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { completed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';

const idOf = async (response: Response) =>
  ((await response.json()) as Record<string, string>)['request_id'] ?? '';
const ask = async (gateway: GatewayUnderTest) =>
  idOf(await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' }));

/** The events that a client of a stream receives, as they come. */
function follow(gateway: GatewayUnderTest, runId: string, after = 0) {
  const received: { id: string; type: string; position: unknown }[] = [];
  const client = new AbortController();
  onTestFinished(() => client.abort());
  const ended = (async () => {
    const headers = { 'last-event-id': String(after) };
    const response = await fetch(`${gateway.url}/chat/${runId}/stream`, { headers, signal: client.signal });
    for await (const { id, event, data } of readEvents(response)) {
      const { position } = JSON.parse(data) as { position?: number };
      received.push({ id: id ?? '', type: event ?? '', position });
    }
  })();
  ended.catch(() => {});
  return {
    received,
    ended,
    positions: () => received.filter(({ type }) => type === 'queued').map((e) => e.position),
  };
}

it('each position of a waiting run is announced once, however many gateways serve its clients, until a worker claims it', async () => {
  const gateway = await startGateway();
  const other = await startGateway({ redisUrl: gateway.redisUrl, databaseUrl: gateway.databaseUrl });
  onTestFinished(async () => {
    await other.close();
    await gateway.close();
  });
  const queue = openQueue('chat', gateway.redis);
  const [first, second, runId] = [await ask(gateway), await ask(gateway), await ask(gateway)];
  const behind = [await ask(gateway), await ask(gateway), await ask(gateway)] as const;
  const streams = [
    follow(gateway, runId),
    follow(other, runId),
    follow(other, runId),
    follow(gateway, runId, 1),
  ];
  const [one, , , resumed] = streams;
  await eventually(() => expect(one?.positions()).toEqual([3]));
  // A pass of each gateway in which only runs behind it move.
  const [movedHere, movedThere] = [follow(gateway, behind[1]), follow(other, behind[2])];
  await queue.remove(behind[0]);
  await eventually(() => expect(movedHere.positions().at(-1)).toBe(4));
  await eventually(() => expect(movedThere.positions().at(-1)).toBe(5));
  await queue.remove(first);
  await eventually(() => expect(one?.positions()).toEqual([3, 2]));
  await queue.remove(second);
  await eventually(() => expect(resumed?.positions()).toEqual([2, 1]));
  // A worker has claimed the run, though its job is still in the queue.
  await gateway.runLog.append(runId, 1, [
    { type: 'status', data: { request_id: runId, state: 'retrieving' } },
  ]);
  await queue.remove(runId);
  await gateway.conclude(completed(runId));
  for (const { ended } of streams) await ended;
  for (const { received } of streams.slice(0, 3)) {
    expect(received.map(({ type }) => type)).toEqual(['queued', 'queued', 'queued', 'status', 'completed']);
    expect(received.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  }
});

import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { completed, delta, queued } from '../../test/run-story.js';
import { startScriptedGateway, type Play } from '../../test/scripted-gateway.js';
import { GatewayClient } from './gateway-client.js';
import { openRun, type ResumePolicy } from './run-stream.js';

const quick: ResumePolicy = { backoffMs: [1, 1, 1], silenceMs: 60_000 };

async function follow(routes: Record<string, Play | Play[]>, policy = quick) {
  const server = await startScriptedGateway(routes);
  const gateway = new GatewayClient({ url: server.url, apiKey: undefined });
  const { signal } = new AbortController();
  const run = await openRun(gateway, { message: 'Hi' }, signal, policy);
  const events: RunEvent[] = [];
  const ended = (async () => {
    for await (const event of run.events(signal)) events.push(event);
  })();
  return { server, events, ended };
}

const positions = (server: { received(route: string): { headers: Record<string, unknown> }[] }) =>
  server.received('GET /chat/{id}/stream').map(({ headers }) => headers['last-event-id']);

const begin: Play = (exchange) => {
  exchange.send([queued(), delta('one ')]);
  exchange.cut();
};

it('a stream whose connection breaks or ends is resumed after the last event, and each event comes once', async () => {
  const { server, events, ended } = await follow({
    'POST /chat/stream': begin,
    'GET /chat/{id}/stream': [
      (exchange) => {
        exchange.send([delta('two ')], 3);
        exchange.raw('id: 4\nevent: delta\ndata: {"request_id":');
        exchange.cut();
      },
      (exchange) => {
        exchange.send([delta('three')], 4);
        exchange.end();
      },
      (exchange) => exchange.send([completed()], 5),
    ],
  });
  await ended;
  expect(positions(server)).toEqual(['2', '3', '4']);
  expect(events).toEqual([queued(), delta('one '), delta('two '), delta('three'), completed()]);
});

it('resuming is retried while the gateway is overloaded or away, but not for ever', async () => {
  const away: Play = (exchange) => exchange.json(503, { error_code: 'SHUTTING_DOWN', message: 'Stopping' });
  const { server, ended } = await follow({ 'POST /chat/stream': begin, 'GET /chat/{id}/stream': away });
  await expect(ended).rejects.toThrow(/connection to Quire was lost .* request 1111/);
  expect(positions(server)).toEqual(['2', '2', '2']);
});

it('every received event resets the number of retries', async () => {
  const piece =
    (n: number): Play =>
    (exchange) => {
      exchange.send([delta('x')], n);
      exchange.end();
    };
  const { events, ended } = await follow({
    'POST /chat/stream': begin,
    'GET /chat/{id}/stream': [
      ...[3, 4, 5, 6, 7, 8].map(piece),
      (exchange) => exchange.send([completed()], 9),
    ],
  });
  await ended;
  expect(events).toHaveLength(9);
});

it('resuming fails at once when the gateway refuses for good', async () => {
  const { server, ended } = await follow({ 'POST /chat/stream': begin });
  await expect(ended).rejects.toThrow(/NOT_FOUND/);
  expect(positions(server)).toEqual(['2']);
});

it('a silent connection is replaced', async () => {
  const silent: Play = (exchange) => exchange.send([queued()]);
  const { server, ended } = await follow(
    { 'POST /chat/stream': silent, 'GET /chat/{id}/stream': (exchange) => exchange.send([completed()], 2) },
    { ...quick, silenceMs: 50 },
  );
  await ended;
  expect(positions(server)).toEqual(['1']);
});

it('a connection with heartbeats is kept', async () => {
  const beating: Play = async (exchange) => {
    for (let beat = 0; beat < 8; beat += 1) {
      exchange.raw(': heartbeat\n\n');
      await sleep(100);
    }
    exchange.send([completed()]);
  };
  const { server, ended } = await follow({ 'POST /chat/stream': beating }, { ...quick, silenceMs: 400 });
  await ended;
  expect(positions(server)).toEqual([]);
});

it('events of unknown types are skipped, and an unreadable terminal event is an error', async () => {
  const { events, ended } = await follow({
    'POST /chat/stream': (exchange) => {
      exchange.raw(
        ': heartbeat\n\nid: 1\nevent: applause\ndata: {}\n\nid: 2\nevent: delta\ndata: no json\n\n',
      );
      exchange.raw('id: 3\nevent: completed\ndata: {"answer":7}\n\n');
    },
  });
  await expect(ended).rejects.toThrow(/does not understand/);
  expect(events).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

import { errorEnvelopeSchema } from '@quire/shared/contracts';
import { finishRun, insertRuns } from '@quire/shared/database';
import {
  collectEvents,
  createTestDatabase,
  eventually,
  readEvents,
  startPrivatePostgres,
  startPrivateRedis,
  startTcpProxy,
  testRedisUrl,
} from '@quire/testkit';
import { expect, it } from 'vitest';
import { completed, startGateway } from './gateway-under-test.js';

it('a question is refused at once while Redis is away, and accepted when it is back', async () => {
  const redis = await startPrivateRedis();
  const gateway = await startGateway({ redisUrl: redis.url });
  try {
    await redis.kill();
    await eventually(async () => expect((await gateway.get('/health/ready')).status).toBe(503));
    const refused = await gateway.post('/chat', { message: 'Hi' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(errorEnvelopeSchema.parse(await refused.json()).error_code).toBe('QUEUE_UNAVAILABLE');
    // No row is inserted either, so an outage of Redis does not fill Postgres.
    expect(await gateway.db.selectFrom('runs').select('id').execute()).toEqual([]);
    await redis.restart();
    await eventually(async () => {
      const accepted = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
      expect(accepted.status).toBe(202);
    });
  } finally {
    await gateway.close();
    await redis.cleanup();
  }
});

it('the row of a run whose enqueue failed is closed, so that it is never executed', async () => {
  const redis = await startPrivateRedis();
  const gateway = await startGateway({ redisUrl: redis.url });
  try {
    await gateway.redis.config('SET', 'maxmemory', '1');
    const refused = await gateway.post('/chat', { message: 'Hi' });
    expect(refused.status).toBe(503);
    const runs = await gateway.db.selectFrom('runs').select(['state', 'outcome']).execute();
    expect(runs).toMatchObject([{ state: 'failed', outcome: { data: { error_code: 'QUEUE_UNAVAILABLE' } } }]);
  } finally {
    await gateway.close();
    await redis.cleanup();
  }
});

it('while Redis hangs questions are refused without a wait and without a row', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  const gateway = await startGateway({ redisUrl: proxy.url });
  const written = () => gateway.db.selectFrom('runs').select('id').execute();
  try {
    proxy.pause();
    expect((await gateway.post('/chat', { message: 'Hi' })).status).toBe(503);
    const before = await written();
    for (let tries = 0; tries < 50; tries += 1) {
      expect((await gateway.post('/chat', { message: 'Hi again' })).status).toBe(503);
    }
    expect(await written()).toEqual(before);
    await proxy.restore();
    await eventually(async () => {
      const accepted = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
      expect(accepted.status).toBe(202);
    });
  } finally {
    await proxy.restore();
    await gateway.close();
    await proxy.close();
  }
});

it('a question is refused while Postgres is away', async () => {
  const postgres = await startPrivatePostgres();
  const gateway = await startGateway({ databaseUrl: postgres.url });
  try {
    await postgres.kill();
    const refused = await gateway.post('/chat', { message: 'Hi' });
    expect(refused.status).toBe(503);
    expect(errorEnvelopeSchema.parse(await refused.json()).error_code).toBe('STORAGE_UNAVAILABLE');
    expect((await gateway.get('/health/ready')).status).toBe(503);
    expect((await gateway.get('/health/live')).status).toBe(200);
    await postgres.restart();
    await eventually(async () => expect((await gateway.get('/health/ready')).status).toBe(200));
  } finally {
    await gateway.close();
    await postgres.cleanup();
  }
});

it('a run that no worker finishes by its deadline is closed, so that its caller gets a 504', async () => {
  const gateway = await startGateway({ deadlineMs: 1000 });
  try {
    const response = await gateway.post('/chat', { message: 'Hi' });
    expect(response.status).toBe(504);
    const envelope = errorEnvelopeSchema.parse(await response.json());
    expect(envelope.error_code).toBe('DEADLINE_EXCEEDED');
    const state = await (await gateway.get(`/chat/${envelope.request_id}`)).json();
    expect(state).toMatchObject({ state: 'failed', error: { error_code: 'DEADLINE_EXCEEDED' } });
  } finally {
    await gateway.close();
  }
});

it('an overdue run is closed also for a caller that only polls', async () => {
  const gateway = await startGateway();
  try {
    const id = randomUUID();
    const request = { message: 'Hi', session_id: randomUUID(), top_k: 5 };
    const long = new Date(Date.now() - 60_000);
    await insertRuns(gateway.db, [{ id, tenant: 'local', request, acceptedAt: long, deadlineAt: long }]);
    const state = await (await gateway.get(`/chat/${id}`)).json();
    expect(state).toMatchObject({ state: 'failed', error: { error_code: 'DEADLINE_EXCEEDED' } });
    const events = await collectEvents(await gateway.get(`/chat/${id}/stream`));
    expect(events.map((event) => event.event)).toEqual(['failed']);
  } finally {
    await gateway.close();
  }
});

it('a question is refused when Postgres stops responding during acceptance', async () => {
  const database = await createTestDatabase();
  const proxy = await startTcpProxy(database.url);
  const gateway = await startGateway({ databaseUrl: proxy.url });
  try {
    expect((await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' })).status).toBe(202);
    proxy.pause();
    const refused = await gateway.post('/chat', { message: 'Hi' });
    expect(refused.status).toBe(503);
    expect(errorEnvelopeSchema.parse(await refused.json()).error_code).toBe('STORAGE_UNAVAILABLE');
  } finally {
    await proxy.restore();
    await gateway.close();
    await proxy.close();
    await database.drop();
  }
});

it('the outcome of a finished run is returned while Redis is away', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  const gateway = await startGateway({ redisUrl: proxy.url });
  try {
    const accepted = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
    const location = accepted.headers.get('location') ?? '';
    const runId = location.replace('/chat/', '');
    await finishRun(gateway.db, runId, completed(runId));
    await proxy.cut();
    expect(await (await gateway.get(location)).json()).toMatchObject({ state: 'completed' });
    const events = await collectEvents(await gateway.get(`${location}/stream`));
    expect(events.map((event) => event.event)).toEqual(['completed']);
  } finally {
    await gateway.close();
    await proxy.close();
  }
});

it('a live stream continues without a gap when its Redis connection is cut and restored', async () => {
  const proxy = await startTcpProxy(await testRedisUrl());
  const gateway = await startGateway({ redisUrl: proxy.url });
  try {
    const response = await gateway.post('/chat/stream', { message: 'Hi' });
    const runId = response.headers.get('x-request-id') ?? '';
    const seen: (string | undefined)[] = [];
    const ended = (async () => {
      for await (const { event } of readEvents(response)) seen.push(event);
    })();
    // A follower that has read nothing yet may get the end alone.
    await eventually(() => expect(seen).toEqual(['queued']));
    await proxy.cut();
    await proxy.restore();
    await gateway.conclude(completed(runId));
    await ended;
    expect(seen).toEqual(['queued', 'completed']);
  } finally {
    await gateway.close();
    await proxy.close();
  }
});

it('a gateway that stops ends its streams, responds to waiting callers and accepts no connection', async () => {
  const gateway = await startGateway({ drainGraceMs: 600_000 });
  try {
    const stream = collectEvents(await gateway.post('/chat/stream', { message: 'Stream' }));
    const waiting = gateway.post('/chat', { message: 'JSON' });
    const runId = await gateway.runOf('JSON');
    const stopping = gateway.stopService();
    expect((await stream).map((event) => event.event)).toEqual(['queued']);
    await expect(gateway.post('/chat', { message: 'Late' })).rejects.toThrow();
    await gateway.conclude(completed(runId));
    expect((await waiting).status).toBe(200);
    // Connections that have become idle meanwhile do not use up the grace.
    await stopping;
  } finally {
    await gateway.close();
  }
});

it('a gateway that stops closes a connection without a request while a caller still waits', async () => {
  const gateway = await startGateway();
  try {
    const unused = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    await once(unused, 'connect');
    const waiting = gateway.post('/chat', { message: 'Slow' });
    const runId = await gateway.runOf('Slow');
    void gateway.stopService();
    await once(unused, 'close');
    await gateway.conclude(completed(runId));
    // Past the grace it would be a 202.
    expect((await waiting).status).toBe(200);
  } finally {
    await gateway.close();
  }
});

it('a gateway that stops responds with 202 and Location to a caller whose run outlasts the grace', async () => {
  const gateway = await startGateway();
  try {
    const waiting = gateway.post('/chat', { message: 'Slow' });
    const runId = await gateway.runOf('Slow');
    await gateway.stopService();
    const response = await waiting;
    expect(response.status).toBe(202);
    expect(response.headers.get('location')).toBe(`/chat/${runId}`);
  } finally {
    await gateway.close();
  }
});

import { announcePresence } from '@quire/shared/process';
import { eventually } from '@quire/testkit';
import { expect, it } from 'vitest';
import { startGateway } from './gateway-under-test.js';

it('tells dependencies with latency, collection size, queue depths and live workers', async () => {
  const gateway = await startGateway();
  try {
    await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
    const degraded = (await (await gateway.get('/health')).json()) as Record<string, unknown>;
    expect(degraded).toMatchObject({
      status: 'degraded',
      dependencies: {
        redis: { status: 'up', latency_ms: expect.any(Number) },
        postgres: { status: 'up', latency_ms: expect.any(Number) },
        qdrant: { status: 'up', latency_ms: expect.any(Number), points: 0 },
      },
      queues: { chat: { waiting: 1 }, retrieval: { waiting: 0 }, ingest: { waiting: 0 } },
      workers: { 'agent-worker': 0, 'retrieval-worker': 0 },
    });
    const goodbyes = [
      announcePresence(gateway.redis, 'agent-worker'),
      announcePresence(gateway.redis, 'retrieval-worker'),
    ];
    await eventually(async () => {
      expect(await (await gateway.get('/health')).json()).toMatchObject({
        status: 'ok',
        workers: { 'agent-worker': 1, 'retrieval-worker': 1 },
      });
    });
    for (const goodbye of goodbyes) await goodbye();
  } finally {
    await gateway.close();
  }
});

import { announceModels, RedisCircuitBreaker, type Admitted, type FailureKind } from '@quire/shared/models';
import { announcePresence } from '@quire/shared/process';
import { connectQdrant } from '@quire/shared/qdrant';
import { eventually, qdrantUrl, uniqueCollection } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from './gateway-under-test.js';

it('GET /health reports dependencies with latency, the collection size, queue depths and live workers', async () => {
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
      queues: {
        chat: { waiting: 1 },
        retrieval: { waiting: 0 },
        ingest: { waiting: 0 },
        summary: { waiting: 0 },
      },
      workers: { 'agent-worker': 0, 'retrieval-worker': 0 },
      models: { status: 'unknown', chain: [] },
    });
    const goodbyes = [
      announcePresence(gateway.redis, 'agent-worker'),
      announcePresence(gateway.redis, 'retrieval-worker'),
      announceModels(gateway.redis, []),
    ];
    await eventually(async () => {
      expect(await (await gateway.get('/health')).json()).toMatchObject({
        status: 'ok',
        workers: { 'agent-worker': 1, 'retrieval-worker': 1 },
        models: { status: 'not_configured', chain: [] },
      });
    });
    for (const goodbye of goodbyes) await goodbye();
  } finally {
    await gateway.close();
  }
});

it('GET /health counts the points of the collection behind a configured alias', async () => {
  const [alias, physical] = [uniqueCollection(), uniqueCollection()];
  const gateway = await startGateway({ collection: alias });
  onTestFinished(() => gateway.close());
  const qdrantHealth = async () => {
    const health = (await (await gateway.get('/health')).json()) as { dependencies: { qdrant: unknown } };
    return health.dependencies.qdrant;
  };
  expect(await qdrantHealth()).toMatchObject({ status: 'up', collection: alias, points: 0 });

  const qdrant = connectQdrant({ url: qdrantUrl() }, 10_000);
  await qdrant.createCollection(physical, { vectors: { size: 2, distance: 'Cosine' } });
  onTestFinished(async () => {
    await qdrant.deleteCollection(physical);
  });
  const points = [1, 2, 3].map((id) => ({ id, vector: [id, 1] }));
  await qdrant.upsert(physical, { wait: true, points });
  await qdrant.updateCollectionAliases({
    actions: [{ create_alias: { collection_name: physical, alias_name: alias } }],
  });
  expect(await qdrantHealth()).toMatchObject({ status: 'up', collection: alias, points: 3 });
});

type Failed = Partial<Record<'flash' | 'lite', FailureKind>>;

it.each<[title: string, failed: Failed, status: string, models: string]>([
  ['every model is available', {}, 'ok', 'ok'],
  ['the last model is unavailable', { lite: 'unavailable' }, 'ok', 'ok'],
  ['the first model is unavailable', { flash: 'rate_limited' }, 'degraded', 'degraded'],
  ['no model is available', { flash: 'unavailable', lite: 'rate_limited' }, 'degraded', 'unavailable'],
  ['the key is invalid', { flash: 'misconfigured', lite: 'misconfigured' }, 'degraded', 'misconfigured'],
])(
  'GET /health stays a 200 and reports the status of the models when %s',
  async (_title, failed, status, models) => {
    const gateway = await startGateway();
    onTestFinished(() => gateway.close());
    const chain = (['flash', 'lite'] as const).map((model, position) => ({
      id: `aa:${model}`,
      model,
      position,
    }));
    for (const goodbye of [
      announcePresence(gateway.redis, 'agent-worker'),
      announcePresence(gateway.redis, 'retrieval-worker'),
      announceModels(gateway.redis, chain),
    ]) {
      onTestFinished(goodbye);
    }
    await gateway.redis.ping();
    const soon = { calls: 1, runs: 1, others: 0, withinMs: 60_000 };
    const limits = { unavailable: soon, misconfigured: soon, replyWithinMs: 20_000 };
    const breaker = new RedisCircuitBreaker(gateway.redis, limits);
    const caller = { run: 'any', tenant: 'local' };
    for (const { id, model } of chain) {
      const kind = failed[model];
      if (kind) await breaker.failed(id, (await breaker.admit(id, caller)) as Admitted, { kind });
    }
    const expected = chain.map(({ model }) => {
      const reason = failed[model];
      return reason
        ? { model, state: 'open', reason, retry_at: expect.any(String) }
        : { model, state: 'closed' };
    });
    await eventually(async () => {
      const response = await gateway.get('/health');
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ status, models: { status: models, chain: expected } });
    });
  },
);

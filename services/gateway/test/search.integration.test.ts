import { errorEnvelopeSchema, searchResponseSchema } from '@quire/shared/contracts';
import type { JobPayload } from '@quire/shared/jobs';
import { eventually, startPrivatePostgres, startPrivateRedis } from '@quire/testkit';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { foundPassages, nothingFound, playRetrieval } from './play-retrieval.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** A promise, and what lets those go who wait for it. */
function gate(): [closed: Promise<void>, open: () => void] {
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [closed, () => open()];
}

describe('a search', () => {
  it('a search returns passages with text, scores and confidence', async () => {
    playRetrieval(gateway.redisUrl, () => Promise.resolve(foundPassages('A long text. '.repeat(50))));
    const response = await gateway.post('/search', { query: '  How do nodes talk? ' });
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(searchResponseSchema.parse(body)).toEqual(body);
    expect(body).toEqual({
      request_id: response.headers.get('x-request-id'),
      query: 'How do nodes talk?',
      results: [
        {
          rank: 1,
          source_url: 'https://book.example/nodes#topics',
          title: 'Nodes',
          chapter: 'Middleware',
          section: 'Topics',
          module: 'ros2',
          chunk_position: 3,
          similarity_score: 0.8765,
          snippet: expect.stringMatching(/^A long text\. .{0,187}…$/),
          chunk_id: 'c1',
          content_hash: 'abc',
          text: 'A long text. '.repeat(50),
        },
        expect.objectContaining({
          rank: 2,
          chunk_id: 'c2',
          text: 'A long text. '.repeat(50),
          before: 'Before.',
          after: 'After.',
        }),
      ],
      confidence: 0.7883,
      confidence_level: 'medium',
      should_answer: true,
      metrics: {
        average_similarity: 0.7883,
        min_similarity: 0.7,
        max_similarity: 0.8765,
        lexical_score: 0.5,
        num_chunks: 2,
        chunk_diversity: 0.1235,
      },
      timestamp: expect.any(String),
      metadata: {
        retrieval_count: 2,
        timings_ms: { embedding: 1.2, search: 0.6, total: expect.any(Number) },
      },
    });
  });

  it('a search without results is a 200', async () => {
    playRetrieval(gateway.redisUrl, () => Promise.resolve(nothingFound));
    const response = await gateway.post('/search', { query: 'Who won the cup?' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      results: [],
      confidence: 0,
      confidence_level: 'insufficient',
      should_answer: false,
      metadata: { retrieval_count: 0 },
    });
  });

  it('a degraded search says why', async () => {
    const degraded = foundPassages('Nodes', { degraded_reason: 'embedding_unavailable' });
    playRetrieval(gateway.redisUrl, () => Promise.resolve(degraded));
    const response = await gateway.post('/search', { query: 'nodes' });
    expect(await response.json()).toMatchObject({ metadata: { degraded_reason: 'embedding_unavailable' } });
  });

  it.each([
    [{ query: ' nodes ' }, { query: 'nodes', top_k: 5 }],
    [{ message: 'nodes' }, { query: 'nodes', top_k: 5 }],
    [
      {
        query: 'nodes',
        top_k: 2,
        similarity_threshold: 0.25,
        filters: { module: 'ros2', url_prefix: 'https://book.example/' },
      },
      {
        query: 'nodes',
        top_k: 2,
        similarity_threshold: 0.25,
        filters: { module: 'ros2', url_prefix: 'https://book.example/' },
      },
    ],
  ])('a search of %j enqueues a job with %j, its request id and a deadline', async (body, asked) => {
    const payloads: JobPayload<'retrieval'>[] = [];
    playRetrieval(gateway.redisUrl, (payload) => {
      payloads.push(payload);
      return Promise.resolve(foundPassages());
    });
    const before = Date.now();
    const response = await gateway.post('/search', body);
    expect(payloads).toEqual([
      {
        ...asked,
        request_id: response.headers.get('x-request-id'),
        deadline_at: expect.any(Number),
        reply_to: expect.any(String),
      },
    ]);
    const allowed = (payloads[0]?.deadline_at ?? 0) - before;
    expect(allowed).toBeGreaterThanOrEqual(10_000);
    expect(allowed).toBeLessThan(15_000);
  });

  it('concurrent searches each get their own result', async () => {
    const [secondAnswered, letFirstGo] = gate();
    playRetrieval(gateway.redisUrl, async ({ query }) => {
      if (query === 'first') await secondAnswered;
      return foundPassages(query);
    });
    const first = gateway.post('/search', { query: 'first' });
    const second = await gateway.post('/search', { query: 'second' });
    expect(await second.json()).toMatchObject({ query: 'second', results: [{ text: 'second' }, {}] });
    letFirstGo();
    expect(await (await first).json()).toMatchObject({ query: 'first', results: [{ text: 'first' }, {}] });
  });

  it('a search creates no run, and does not need Postgres', async () => {
    const postgres = await startPrivatePostgres();
    onTestFinished(() => postgres.cleanup());
    const independent = await startGateway({ databaseUrl: postgres.url });
    onTestFinished(() => independent.close());
    playRetrieval(independent.redisUrl, () => Promise.resolve(foundPassages()));
    expect((await independent.post('/search', { query: 'nodes' })).status).toBe(200);
    expect(await independent.db.selectFrom('runs').select('id').execute()).toEqual([]);
    await postgres.kill();
    expect((await independent.post('/search', { query: 'nodes' })).status).toBe(200);
  });

  it('searches open no further connections to Redis', async () => {
    const redis = await startPrivateRedis();
    onTestFinished(() => redis.cleanup());
    const own = await startGateway({ redisUrl: redis.url });
    onTestFinished(() => own.close());
    const [released, release] = gate();
    let waiting = 0;
    playRetrieval(redis.url, async () => {
      waiting += 1;
      await released;
      return foundPassages();
    });
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const gatewayConnections = async () =>
      String(await client.client('LIST')).match(/name=quire:(request|subscriber) /g)?.length;
    expect(await gatewayConnections()).toBe(3);
    const searches = Array.from({ length: 20 }, () => own.post('/search', { query: 'nodes' }));
    await eventually(() => expect(waiting).toBe(20));
    expect(await gatewayConnections()).toBe(3);
    release();
    expect((await Promise.all(searches)).every(({ status }) => status === 200)).toBe(true);
  });
});

describe('POST /search refuses', () => {
  it.each<[title: string, body: unknown, status: number, code: string, path?: string]>([
    ['an empty body object', {}, 400, 'EMPTY_QUERY', 'query'],
    ['an empty body', '', 400, 'EMPTY_QUERY'],
    ['a blank question', { query: ' \n ' }, 400, 'EMPTY_QUERY', 'query'],
    ['a blank question in the alias', { message: '' }, 400, 'EMPTY_QUERY', 'message'],
    ['a question of 1,001 characters', { query: 'x'.repeat(1001) }, 400, 'QUERY_TOO_LONG', 'query'],
    ['a question that is a number', { query: 7 }, 400, 'INVALID_REQUEST', 'query'],
    ['a question given twice', { query: 'Hi', message: 'Hi' }, 400, 'INVALID_REQUEST', 'message'],
    ['top_k of 11', { query: 'Hi', top_k: 11 }, 400, 'INVALID_REQUEST', 'top_k'],
    ["a chat's field", { query: 'Hi', session_id: 'x' }, 400, 'INVALID_REQUEST', 'session_id'],
    ['an unknown filter', { query: 'Hi', filters: { modul: 'x' } }, 400, 'INVALID_REQUEST', 'filters.modul'],
    ['an array', ['Hi'], 400, 'INVALID_REQUEST', ''],
    ['broken JSON', '{"query": "Hi"', 400, 'INVALID_REQUEST'],
    ['a body over the limit', { query: 'x'.repeat(300_000) }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('a search with %s is refused in the error envelope', async (_title, body, status, code, path) => {
    const response = await gateway.post('/search', body);
    const envelope = errorEnvelopeSchema.parse(await response.json());
    expect({ status: response.status, code: envelope.error_code }).toEqual({ status, code });
    expect(envelope.request_id).toBe(response.headers.get('x-request-id'));
    if (path !== undefined) expect(envelope.details?.map((detail) => detail.path)).toEqual([path]);
  });

  it('a refused search lists every problem of the request', async () => {
    const response = await gateway.post('/search', { query: '', top_k: 0, extra: 1, more: 2 });
    const envelope = errorEnvelopeSchema.parse(await response.json());
    expect(envelope.error_code).toBe('INVALID_REQUEST');
    expect(envelope.details?.map(({ path }) => path).sort()).toEqual(['extra', 'more', 'query', 'top_k']);
  });

  it('a search whose body is not declared as JSON is refused', async () => {
    const response = await gateway.post('/search', 'query=Hi', { 'content-type': 'text/plain' });
    expect(response.status).toBe(415);
    expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['GET', 'PUT', 'DELETE'])('/search refuses %s', async (method) => {
    const response = await fetch(`${gateway.url}/search`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe('METHOD_NOT_ALLOWED');
  });
});

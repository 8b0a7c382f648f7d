import { errorEnvelopeSchema } from '@quire/shared/contracts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { gzipSync } from 'node:zlib';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { rawRequest } from './raw-request.js';

const PAGE = 'https://book.example';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway({ corsOrigins: [PAGE, 'http://127.0.0.1:3000'] });
});
afterAll(() => gateway.close());

describe('the docs page', () => {
  it('the docs page loads only files of its gateway, and its policy allows them', async () => {
    const response = await gateway.get('/docs');
    const html = await response.text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).toMatch(/^\/[^/]/);
      expect({ file, status: (await gateway.get(file)).status }).toEqual({ file, status: 200 });
    }
    expect(html).not.toMatch(/<script>|<style|\son\w+=/);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it.each(['package.json', '..%2fpackage.json', '__proto__', 'constructor'])(
    '/docs does not serve %s',
    async (file) => {
      expect((await gateway.get(`/docs/${file}`)).status).toBe(404);
    },
  );
});

describe('security headers', () => {
  it.each([
    ['GET', '/health/live'],
    ['GET', '/nowhere'],
    ['POST', '/chat'],
  ])('the response to %s %s forbids rendering, framing, sniffing and caching', async (method, path) => {
    const { headers } = await fetch(gateway.url + path, { method });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers.has('x-powered-by')).toBe(false);
    expect(headers.has('strict-transport-security')).toBe(false);
  });
});

describe('a page of another origin', () => {
  const preflight = (origin: string, { url } = gateway) =>
    fetch(`${url}/chat`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'content-type,idempotency-key,last-event-id,authorization,x-api-key',
      },
    });

  it('a page of an allowed origin may send requests and read their headers', async () => {
    const { status, headers } = await preflight(PAGE);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,PATCH,DELETE');
    expect(headers.get('access-control-allow-headers')?.toLowerCase().split(',')).toEqual(
      expect.arrayContaining([
        'content-type',
        'idempotency-key',
        'last-event-id',
        'authorization',
        'x-api-key',
      ]),
    );
    expect(headers.has('access-control-allow-credentials')).toBe(false);
    const answer = await gateway.get('/threads', { origin: PAGE });
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(answer.headers.get('access-control-expose-headers')?.split(',')).toEqual(
      expect.arrayContaining(['X-Request-Id', 'Location', 'Retry-After', 'RateLimit', 'Idempotent-Replayed']),
    );
  });

  it('a preflight request needs no key, the request after it does', async () => {
    const guarded = await startGateway({ auth: true, corsOrigins: [PAGE] });
    onTestFinished(() => guarded.close());
    const { status, headers } = await preflight(PAGE, guarded);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
    const refused = await guarded.post('/chat', { message: 'Hi' }, { origin: PAGE });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
  });

  it.each(['https://evil.example', 'https://book.example.evil.example', 'http://book.example', 'null'])(
    'a page of the origin %s, which is not allowed, gets no CORS headers',
    async (origin) => {
      expect((await preflight(origin)).headers.has('access-control-allow-origin')).toBe(false);
      const answer = await gateway.get('/threads', { origin });
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    },
  );

  it('no origin gets CORS headers if none is allowed', async () => {
    const closed = await startGateway();
    const answer = await closed.get('/threads', { origin: PAGE });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    await closed.close();
  });
});

describe('a body', () => {
  const refusal = async (body: string, headers: Record<string, string> = {}) => {
    const response = await gateway.post('/chat', body, { prefer: 'respond-async', ...headers });
    return { status: response.status, ...errorEnvelopeSchema.parse(await response.json()) };
  };

  it.each([
    ['{"message":"Hi","__proto__":{"polluted":true}}'],
    ['{"message":"Hi","metadata":{"__proto__":{"polluted":true}}}'],
    ['{"message":"Hi","metadata":{"a":[{"__proto__":null}]}}'],
    ['{"message":"Hi","filters":{"\\u005f_proto__":{}}}'],
  ])('a body that would change a prototype is refused: %s', async (body) => {
    expect(await refusal(body)).toMatchObject({ status: 400, message: expect.stringContaining('__proto__') });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('a field named constructor is an ordinary field of metadata, and unknown elsewhere', async () => {
    const metadata = { constructor: { prototype: { polluted: true } }, prototype: 1, toString: 'x' };
    const response = await gateway.post('/chat', { message: 'Hi', metadata }, { prefer: 'respond-async' });
    const { request_id } = (await response.json()) as { request_id: string };
    const { request } = await gateway.db
      .selectFrom('runs')
      .select('request')
      .where('id', '=', request_id)
      .executeTakeFirstOrThrow();
    expect(request.metadata).toEqual(metadata);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await refusal('{"message":"Hi","constructor":1}')).details).toEqual([
      { path: 'constructor', problem: 'is not known' },
    ]);
  });

  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `{"message":"Hi","metadata":${'{"a":'.repeat(33)}1${'}'.repeat(33)}}`],
  ])('a body of deeply nested %s is refused', async (_what, body) => {
    expect(await refusal(body)).toMatchObject({ status: 400, message: expect.stringContaining('nested') });
  });

  it('the error of a body with very many problems or very long names is short', async () => {
    const fields = Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]);
    const many = await refusal(JSON.stringify(Object.fromEntries(fields)));
    expect(many.details).toHaveLength(50);
    expect(many.message).toMatch(/; and 19951 more$/);
    const long = await refusal(JSON.stringify({ message: 'Hi', ['x'.repeat(200_000)]: 1 }));
    expect(long.message.length).toBeLessThan(200);
  });

  it('a body that decompresses to more than the limit is refused', async () => {
    const response = await fetch(`${gateway.url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(`{"message":"${' '.repeat(20_000_000)}"}`),
    });
    expect(response.status).toBe(413);
  });
});

describe('nothing that a caller sends comes back in a header', () => {
  const CANARY = 'canary-7f3a';

  it.each<[string, string, string, Record<string, string>]>([
    ['a request id', 'GET', '/health/live', { 'x-request-id': CANARY }],
    ['a run id', 'GET', `/chat/${CANARY}`, {}],
    ['a run id with line breaks', 'GET', `/chat/x%0d%0aset-cookie:%20${CANARY}`, {}],
    ['a run id to cancel', 'DELETE', `/chat/%0d%0a${CANARY}`, {}],
    ['a position', 'GET', `/chat/x/stream?after=${CANARY}`, { 'last-event-id': CANARY }],
    ['a cursor', 'GET', `/threads?cursor=${CANARY}%0d%0a`, {}],
    ['an origin', 'GET', '/threads', { origin: `https://${CANARY}.example` }],
    ['a file', 'GET', `/docs/${CANARY}%0a`, {}],
    ['a method', 'OPTIONS', '/chat', { 'access-control-request-headers': CANARY }],
  ])('no response header repeats %s of the request', async (_what, method, path, headers) => {
    const response = await fetch(gateway.url + path, { method, headers });
    expect(response.status).toBeLessThan(500);
    expect(JSON.stringify([...response.headers])).not.toContain(CANARY);
  });

  it('no response header repeats an Idempotency-Key or a preference', async () => {
    const response = await gateway.post(
      '/chat',
      { message: 'Hi' },
      { prefer: `respond-async; wait="${CANARY}"`, 'idempotency-key': CANARY },
    );
    expect(response.status).toBe(202);
    expect(JSON.stringify([...response.headers])).not.toContain(CANARY);
    expect(response.headers.get('location')).toMatch(/^\/chat\/[0-9a-f-]{36}$/);
  });
});

describe('a request with headers', () => {
  const head = (...headers: string[]) =>
    ['GET /health/live HTTP/1.1', 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');

  it.each<[string, string, number, string]>([
    [
      'the largest allowed number of headers',
      head(...Array.from({ length: 98 }, (_, i) => `a${i}: 1`)),
      200,
      'ok',
    ],
    ['one header more', head(...Array.from({ length: 99 }, (_, i) => `a${i}: 1`)), 431, 'HEADERS_TOO_LARGE'],
    ['headers of too many bytes', head(`a: ${'x'.repeat(17_000)}`), 431, 'HEADERS_TOO_LARGE'],
    ['no Host', 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
  ])('a request with %s is handled by the header limits', async (_what, bytes, status, words) => {
    const [answer] = await rawRequest(gateway.url, [bytes]);
    expect(answer).toMatchObject({ status, body: expect.stringContaining(words) });
  });
});

describe('the name that a request is sent to', () => {
  const askFor = async (url: string, host: string, path = '/threads') => {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const [answer] = await rawRequest(url, [bytes], { halfClose: false });
    return { status: answer?.status, body: answer?.body ?? '' };
  };

  it.each([
    'localhost',
    'LOCALHOST:8787',
    'quire.localhost:3000',
    '127.0.0.1:8787',
    '127.8.8.8',
    '[::1]',
    '[::1]:8787',
  ])('without authentication the Host %s is allowed', async (host) => {
    expect(await askFor(gateway.url, host)).toMatchObject({ status: 200 });
  });

  it.each([
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    'notlocalhost',
    '127.0.0.1.evil.example',
    '127.evil.example',
    '128.0.0.1',
    '192.168.1.7:8787',
    '[::2]',
    '::1',
    'evil@localhost.example',
    '',
  ])('without authentication the Host "%s", which a web page may use, is refused', async (host) => {
    for (const path of ['/threads', '/health', '/docs']) {
      const { status, body } = await askFor(gateway.url, host, path);
      expect(status).toBe(403);
      expect(errorEnvelopeSchema.parse(JSON.parse(body))).toMatchObject({
        error_code: 'FORBIDDEN',
        message: expect.stringContaining('set AUTH=on') as string,
      });
    }
  });

  it('with authentication any Host is allowed', async () => {
    const guarded = await startGateway({ auth: true });
    expect(await askFor(guarded.url, 'quire.example', '/health/live')).toMatchObject({ status: 200 });
    expect(await askFor(guarded.url, 'quire.example')).toMatchObject({ status: 401 });
    await guarded.close();
  });
});

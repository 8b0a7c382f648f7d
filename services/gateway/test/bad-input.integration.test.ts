import { errorEnvelopeSchema } from '@quire/shared/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const refusals: [title: string, body: unknown, status: number, code: string, path: string | undefined][] = [
  ['an empty body object', {}, 400, 'EMPTY_QUERY', 'message'],
  ['an empty question', { message: '' }, 400, 'EMPTY_QUERY', 'message'],
  ['a blank question', { message: ' \n\t ' }, 400, 'EMPTY_QUERY', 'message'],
  ['a question of 1,001 characters', { message: 'x'.repeat(1001) }, 400, 'QUERY_TOO_LONG', 'message'],
  ['a question that is a number', { message: 7 }, 400, 'INVALID_REQUEST', 'message'],
  ['a question that is null', { message: null }, 400, 'INVALID_REQUEST', 'message'],
  ['a question with a NUL', { message: 'a\u0000b' }, 400, 'INVALID_REQUEST', 'message'],
  ['an unknown field', { message: 'Hi', tempreature: 1 }, 400, 'INVALID_REQUEST', 'tempreature'],
  ['an unknown filter', { message: 'Hi', filters: { modul: 'x' } }, 400, 'INVALID_REQUEST', 'filters.modul'],
  ['an invalid session id', { message: 'Hi', session_id: 'me' }, 400, 'INVALID_SESSION_ID', 'session_id'],
  ['top_k of 11', { message: 'Hi', top_k: 11 }, 400, 'INVALID_REQUEST', 'top_k'],
  [
    'a threshold of 1.5',
    { message: 'Hi', similarity_threshold: 1.5 },
    400,
    'INVALID_REQUEST',
    'similarity_threshold',
  ],
  ['a blank selection', { message: 'Hi', selected_text: '  ' }, 400, 'INVALID_REQUEST', 'selected_text'],
  [
    'metadata over 4 KB',
    { message: 'Hi', metadata: { a: 'x'.repeat(5000) } },
    400,
    'INVALID_REQUEST',
    'metadata',
  ],
  ['message and query together', { message: 'Hi', query: 'Hi' }, 400, 'INVALID_REQUEST', 'query'],
  ['an array', ['Hi'], 400, 'INVALID_REQUEST', ''],
  ['broken JSON', '{"message": "Hi"', 400, 'INVALID_REQUEST', undefined],
  ['an empty body', '', 400, 'EMPTY_QUERY', undefined],
  ['a body over the limit', { message: 'x'.repeat(300_000) }, 413, 'PAYLOAD_TOO_LARGE', undefined],
];

describe.each(['/chat', '/chat/run', '/chat/stream'])('POST %s', (route) => {
  it.each(refusals)(
    'a question with %s is refused in the error envelope',
    async (_title, body, status, code, path) => {
      const response = await gateway.post(route, body);
      const envelope = errorEnvelopeSchema.parse(await response.json());
      expect({ status: response.status, code: envelope.error_code }).toEqual({ status, code });
      expect(envelope.request_id).toBe(response.headers.get('x-request-id'));
      if (path !== undefined) expect(envelope.details?.map((detail) => detail.path)).toContain(path);
    },
  );
});

it('a refused question lists every problem of the request', async () => {
  const response = await gateway.post('/chat', { message: '', session_id: 'x', top_k: 0, extra: 1 });
  const envelope = errorEnvelopeSchema.parse(await response.json());
  expect(envelope.error_code).toBe('INVALID_REQUEST');
  expect(envelope.details?.map((detail) => detail.path).sort()).toEqual([
    'extra',
    'message',
    'session_id',
    'top_k',
  ]);
});

it('a stream flag that contradicts the address is refused', async () => {
  expect((await gateway.post('/chat/run', { message: 'Hi', stream: true })).status).toBe(400);
  expect((await gateway.post('/chat/stream', { message: 'Hi', stream: false })).status).toBe(400);
});

it('a body that is not declared as JSON is refused', async () => {
  const response = await gateway.post('/chat', 'message=Hi', { 'content-type': 'text/plain' });
  expect(response.status).toBe(415);
  expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe('UNSUPPORTED_MEDIA_TYPE');
});

it('refused questions create no runs', async () => {
  const { count } = await gateway.db
    .selectFrom('runs')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe('0');
});

it.each([
  ['GET', '/nowhere', 404, 'NOT_FOUND'],
  ['GET', '/chat', 405, 'METHOD_NOT_ALLOWED'],
  ['PUT', '/chat/run', 405, 'METHOD_NOT_ALLOWED'],
  ['GET', '/chat/not-a-uuid', 404, 'NOT_FOUND'],
  ['GET', '/chat/3f2f6e0a-8f0e-4c6b-9f6e-111111111111', 404, 'NOT_FOUND'],
  ['GET', '/chat/3f2f6e0a-8f0e-4c6b-9f6e-111111111111/stream', 404, 'NOT_FOUND'],
  ['GET', '/chat/%E0%A4%A', 400, 'INVALID_REQUEST'],
])('%s %s is refused with %i %s', async (method, path, status, code) => {
  const response = await fetch(gateway.url + path, { method });
  expect(response.status).toBe(status);
  expect(errorEnvelopeSchema.parse(await response.json()).error_code).toBe(code);
});

it('a refused method gets the allowed methods', async () => {
  const response = await gateway.get('/chat/run');
  expect(response.headers.get('allow')).toBe('POST');
});

it('a Last-Event-ID that is not a number is refused', async () => {
  const accepted = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
  const location = accepted.headers.get('location') ?? '';
  const response = await gateway.get(`${location}/stream`, { 'last-event-id': 'abc' });
  expect(response.status).toBe(400);
});

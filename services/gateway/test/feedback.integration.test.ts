import { randomUUID } from 'node:crypto';
import { errorEnvelopeSchema, feedbackSchema, type Rating } from '@quire/shared/contracts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createKey, rotateKey, type KeyForTest } from './api-keys-for-test.js';
import { failed, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { answered } from './thread-turns.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const give = async (body: unknown) => {
  const response = await gateway.post('/feedback', body);
  expect(response.status).toBe(200);
  return feedbackSchema.strict().parse(await response.json());
};
const refused = async (body: unknown) => {
  const response = await gateway.post('/feedback', body);
  const { error_code: code, details } = errorEnvelopeSchema.parse(await response.json());
  return { status: response.status, code, paths: details?.map(({ path }) => path) };
};
const stored = (runId: string) =>
  gateway.db.selectFrom('feedback').selectAll().where('run_id', '=', runId).execute();

it('a second rating of an answer replaces the first', async () => {
  const { runId } = await answered(gateway.db);
  const first = await give({ request_id: runId, rating: 'down', comment: ' Wrong page\n' });
  expect(first).toMatchObject({ request_id: runId, rating: 'down', comment: 'Wrong page' });
  const second = await give({ request_id: runId, rating: 'up' });
  expect(second).toMatchObject({ rating: 'up', comment: null, created_at: first.created_at });
  expect(await stored(runId)).toMatchObject([
    { tenant: 'local', caller: 'local', rating: 'up', comment: null },
  ]);
});

it('the request_id of a rating is in lower case, also if it was sent in upper case', async () => {
  const { runId } = await answered(gateway.db);
  expect(await give({ request_id: runId.toUpperCase(), rating: 'up' })).toMatchObject({ request_id: runId });
});

it('each caller of a tenant has one rating of an answer, also after its key is rotated', async () => {
  const guarded = await startGateway({ auth: true });
  onTestFinished(() => guarded.close());
  const { runId } = await answered(guarded.db, { tenant: 'acme' });
  const [one, other] = [
    await createKey(guarded.db, { name: 'web' }),
    await createKey(guarded.db, { name: 'web' }),
  ];
  const rotated = await rotateKey(guarded.db, await rotateKey(guarded.db, one));
  const rate = ({ header }: KeyForTest, rating: Rating) =>
    guarded.post('/feedback', { request_id: runId, rating }, header);
  for (const [key, rating] of [
    [one, 'up'],
    [other, 'up'],
    [rotated, 'down'],
  ] as const) {
    expect((await rate(key, rating)).status).toBe(200);
  }
  const kept = guarded.db.selectFrom('feedback').select(['caller', 'rating']).where('run_id', '=', runId);
  expect(await kept.orderBy('rating').execute()).toEqual([
    { caller: one.callerId, rating: 'down' },
    { caller: other.callerId, rating: 'up' },
  ]);
});

it('a comment may have 2,000 characters', async () => {
  const { runId } = await answered(gateway.db);
  const comment = '😀'.repeat(2000);
  expect(await give({ request_id: runId, rating: 'up', comment })).toMatchObject({ comment });
});

it("a rating of what is not an answer of the caller's tenant is refused with 404", async () => {
  const theirs = await answered(gateway.db, { tenant: 'another-tenant' });
  const accepted = await gateway.post('/chat', { message: 'Hi' }, { prefer: 'respond-async' });
  const { request_id: unfinished } = (await accepted.json()) as { request_id: string };
  const accepting = await gateway.post('/chat', { message: 'Ho' }, { prefer: 'respond-async' });
  const { request_id: without } = (await accepting.json()) as { request_id: string };
  await gateway.conclude(failed(without));
  for (const request_id of [theirs.runId, unfinished, without, randomUUID()]) {
    expect(await refused({ request_id, rating: 'up' })).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await stored(request_id)).toEqual([]);
  }
});

it.each([
  ['no request_id', { rating: 'up' }, ['request_id']],
  ['no rating', { request_id: randomUUID() }, ['rating']],
  ['an unknown rating', { request_id: randomUUID(), rating: 'meh' }, ['rating']],
  ['a malformed request_id', { request_id: 'x', rating: 'up' }, ['request_id']],
  ['an empty comment', { request_id: randomUUID(), rating: 'up', comment: '  ' }, ['comment']],
  ['a long comment', { request_id: randomUUID(), rating: 'up', comment: 'x'.repeat(2001) }, ['comment']],
  ['a comment with a NUL', { request_id: randomUUID(), rating: 'up', comment: 'a\u0000' }, ['comment']],
  ['an unknown field', { request_id: randomUUID(), rating: 'up', stars: 5 }, ['stars']],
])('a rating with %s is refused', async (_, body, paths) => {
  expect(await refused(body)).toEqual({ status: 400, code: 'INVALID_REQUEST', paths });
});

it('/feedback allows POST alone', async () => {
  const response = await gateway.get('/feedback');
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

import { acceptedRunSchema, threadSchema } from '@quire/shared/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { answered } from './thread-turns.js';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const accept = async (session_id: string) => {
  const headers = { prefer: 'respond-async', 'idempotency-key': `key-${session_id.toLowerCase()}` };
  const response = await gateway.post('/chat', { message: 'Hi', session_id }, headers);
  expect(response.status).toBe(202);
  return acceptedRunSchema.parse(await response.json());
};

describe.each([
  ['1', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
  ['4', '919108f7-52d1-4320-9bac-f847db4148a8'],
  ['6', '1ec9414c-232a-6b00-b3c8-9f6bdeced846'],
  ['7', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'],
  ['8', '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'],
])('a session_id that is a UUID of version %s', (_version, id) => {
  it('a question with such a session_id is accepted, and its Idempotency-Key finds the run in either case', async () => {
    const run = await accept(id);
    expect(run.session_id).toBe(id);
    expect(await accept(id.toUpperCase())).toEqual(run);
    const stored = await gateway.db
      .selectFrom('runs')
      .select('session_id')
      .where('id', '=', run.request_id)
      .executeTakeFirstOrThrow();
    expect(stored.session_id).toBe(id);
  });

  it('a thread with such a session_id is found in either case', async () => {
    await answered(gateway.db, { threadId: id });
    for (const path of [`/threads/${id}`, `/history/${id.toUpperCase()}`]) {
      const response = await gateway.get(path);
      expect(response.status).toBe(200);
      expect(threadSchema.parse(await response.json()).session_id).toBe(id);
    }
    const changed = await gateway.send('PATCH', `/threads/${id}`, { metadata: { shelf: 'robots' } });
    expect(changed.status).toBe(200);
    expect((await gateway.send('DELETE', `/threads/${id.toUpperCase()}`)).status).toBe(204);
    expect((await gateway.get(`/threads/${id}`)).status).toBe(404);
  });
});

it.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
  'the session_id %s, the value of unset variables, is refused and names no thread',
  async (id) => {
    const refused = await gateway.post('/chat', { message: 'Hi', session_id: id });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error_code: 'INVALID_SESSION_ID',
      message: 'session_id must not be the nil or the max UUID',
    });
    expect((await gateway.get(`/threads/${id}`)).status).toBe(404);
  },
);

it('a run is found by its request_id in upper case', async () => {
  const { request_id } = await accept('017f22e2-79b0-7cc3-98c4-dc0c0c073990');
  const response = await gateway.get(`/chat/${request_id.toUpperCase()}`);
  expect(await response.json()).toMatchObject({ request_id });
});

import { chatResponseSchema, errorEnvelopeSchema } from '@quire/shared/contracts';
import {
  eventually,
  startPrivatePostgres,
  startPrivateQdrant,
  startTcpProxy,
  textOf,
  type PrivateStore,
  type TcpProxy,
} from '@quire/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { numberedText, questionOf } from './numbered-answer.js';
import { followStream, expectOneAnswer, messagesIn } from './resuming-client.js';
import { startTwoOfEach, type TwoOfEach } from './two-of-each.js';

/** More than a gateway has connections to Postgres. */
const MANY = 30;

interface Victim {
  store: PrivateStore;
  proxy: TcpProxy;
}

let postgres: Victim;
let qdrant: Victim;
let stack: TwoOfEach;
beforeAll(async () => {
  const behindProxy = async (store: PrivateStore) => ({ store, proxy: await startTcpProxy(store.url) });
  [postgres, qdrant] = await Promise.all([
    startPrivatePostgres().then(behindProxy),
    startPrivateQdrant().then(behindProxy),
  ]);
  stack = await startTwoOfEach({ DATABASE_URL: postgres.proxy.url, QDRANT_URL: qdrant.proxy.url });
});
afterEach(() => stack.providers.reset());
afterAll(async () => {
  await stack.close();
  for (const { store, proxy } of [postgres, qdrant]) {
    await proxy.close();
    await store.cleanup();
  }
});

const post = (gateway: number, tag: string, words = 5) =>
  fetch(`${stack.gateways()[gateway]}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: questionOf(tag, words) }),
  });

async function refusalOf(gateway: number, tag: string): Promise<{ requestId: string; refusal: string }> {
  const response = await post(gateway, tag);
  const { error_code, request_id } = errorEnvelopeSchema.parse(await response.json());
  const refusal = `${response.status} ${error_code} ${response.headers.has('retry-after')}`;
  return { requestId: request_id, refusal };
}

async function stateOf(requestId: string): Promise<string> {
  const response = await fetch(`${stack.gateways()[0]}/chat/${requestId}`);
  return response.status === 404 ? 'unknown' : ((await response.json()) as { state: string }).state;
}

/** Asks more questions at once than there are connections, on both gateways: the outage leaked no connection. */
async function expectRecovered(prefix: string): Promise<void> {
  await eventually(async () => {
    const statuses = await Promise.all(
      [0, 1].map(async (gateway) => (await post(gateway, `${prefix}-probe`)).status),
    );
    expect(statuses).toEqual([200, 200]);
  });
  const answers = await Promise.all(
    Array.from({ length: MANY }, async (_, i) => {
      const response = await post(i % 2, `${prefix}-${i}`);
      expect(response.status).toBe(200);
      return chatResponseSchema.parse(await response.json()).answer;
    }),
  );
  expect(answers).toEqual(answers.map((_, i) => numberedText(`${prefix}-${i}`, 5)));
}

const breakStore: Record<string, (victim: Victim) => Promise<void> | void> = {
  killed: ({ store }) => store.kill('SIGKILL'),
  silent: ({ proxy }) => proxy.pause(),
};
const repairStore: Record<string, (victim: Victim) => Promise<void>> = {
  killed: ({ store }) => store.restart(),
  silent: ({ proxy }) => proxy.restore(),
};

describe('Postgres', () => {
  it.each(['killed', 'silent'])(
    'while Postgres is %s questions are refused with its error code, and a run that ends is stored and announced later',
    async (how) => {
      const tag = `postgres-${how}`;
      const followed = await followStream(stack.gateways, { message: questionOf(tag, 40) });
      await eventually(() => expect(followed.events.some(({ event }) => event === 'delta')).toBe(true));
      await breakStore[how]?.(postgres);
      const refused = await Promise.all([0, 1].map((gateway) => refusalOf(gateway, `${tag}-refused`)));
      for (const { refusal } of refused) expect(refusal).toBe('503 STORAGE_UNAVAILABLE true');
      const unready = await fetch(`${stack.gateways()[0]}/health/ready`);
      expect(unready.status).toBe(503);
      // The answer is complete and cannot be stored.
      await eventually(() => expect(textOf(followed.events)).toBe(numberedText(tag, 40)));
      expect(followed.events.map(({ event }) => event)).not.toContain('completed');
      await repairStore[how]?.(postgres);
      const finished = await followed.finished;
      expectOneAnswer(finished, numberedText(tag, 40));
      const { session_id } = chatResponseSchema.parse(JSON.parse(finished.end.data));
      expect(await messagesIn(stack.gateways()[1], session_id)).toBe(2);
      await expectRecovered(tag);
      // An insert under way when its caller was refused may have been committed since.
      for (const { requestId } of refused) {
        await eventually(async () => expect(await stateOf(requestId)).toMatch(/^(unknown|failed)$/));
      }
      expect(stack.callsFor(`${tag}-refused`)).toEqual([]);
    },
  );

  it('no run is lost when every connection to Postgres is reset, and new questions are accepted again', async () => {
    const followed = await followStream(stack.gateways, { message: questionOf('postgres-reset', 40) });
    await eventually(() => expect(followed.events.some(({ event }) => event === 'delta')).toBe(true));
    await postgres.proxy.cut();
    await postgres.proxy.restore();
    expectOneAnswer(await followed.finished, numberedText('postgres-reset', 40));
    await expectRecovered('postgres-again');
  });

  it('no run is lost when the network silently drops every connection to Postgres, and new questions are accepted again', async () => {
    const followed = await followStream(stack.gateways, { message: questionOf('postgres-dropped', 40) });
    await eventually(() => expect(followed.events.some(({ event }) => event === 'delta')).toBe(true));
    postgres.proxy.strand();
    expectOneAnswer(await followed.finished, numberedText('postgres-dropped', 40));
    await expectRecovered('postgres-dropped-after');
  });
});

describe('Qdrant', () => {
  it.each(['killed', 'silent'])(
    'while Qdrant is %s a question fails with its error code, as JSON and as a stream, and the next one after it is back is answered',
    async (how) => {
      const tag = `qdrant-${how}`;
      await breakStore[how]?.(qdrant);
      const [{ refusal }, { end }] = await Promise.all([
        refusalOf(0, `${tag}-json`),
        followStream(stack.gateways, { message: questionOf(`${tag}-stream`) }).then(
          ({ finished }) => finished,
        ),
      ]);
      expect(refusal).toBe('503 RETRIEVAL_UNAVAILABLE true');
      expect(end.event).toBe('failed');
      expect(JSON.parse(end.data)).toMatchObject({ error_code: 'RETRIEVAL_UNAVAILABLE' });
      await repairStore[how]?.(qdrant);
      await expectRecovered(tag);
    },
  );

  it('a search is retried, unnoticed by its caller, when every connection to Qdrant is reset', async () => {
    const { requests } = stack.providers.embeddings;
    qdrant.proxy.pause();
    const asked = post(0, 'qdrant-reset', 5);
    await eventually(() => expect(requests).toHaveLength(1));
    await qdrant.proxy.cut();
    await qdrant.proxy.restore();
    expect((await asked).status).toBe(200);
    await expectRecovered('qdrant-again');
  });
});

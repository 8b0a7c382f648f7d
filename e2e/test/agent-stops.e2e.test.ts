import { chatResponseSchema } from '@quire/shared/contracts';
import { redisKeys } from '@quire/shared/redis';
import { answer, failWith, messageTexts, type ChatRequest } from '@quire/scripted-providers';
import { collectEvents, eventually, textOf } from '@quire/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

const QUESTION = 'How do nodes publish messages on topics?';
const WHOLE = 'Nodes publish on topics [1].';
/** Longer than any test: a call that ends between two tokens was aborted by the worker. */
const PAUSE_MS = 120_000;
/** A busy machine needs some seconds until the model sends its first token. */
const DEADLINE_MS = 15_000;
const FAILURES_TO_OPEN = 5;

interface Cancelled {
  state: string;
  tokens_used: { prompt: number; completion: number };
}

let quire: AnsweringQuire;
let shortOfTime: string;
beforeAll(async () => {
  const env = {
    GEMINI_MODELS: 'only',
    GEMINI_IDLE_TIMEOUT_MS: String(2 * PAUSE_MS),
    MODEL_PRICES: JSON.stringify({ only: { input: 1000, output: 2000 } }),
  };
  quire = await startAnsweringQuire(env, {
    Nodes: 'Nodes publish messages on topics. Other nodes subscribe to these topics.',
  });
  await quire.start('gateway', { RUN_DEADLINE_MS: String(DEADLINE_MS) });
  shortOfTime = quire.gateways[1] ?? '';
});
afterAll(() => quire.close());

describe('the circuit breaker', () => {
  const modes = (runs: number) =>
    Promise.all(
      Array.from({ length: runs }, async () => (await quire.answerTo({ message: QUESTION })).metadata.mode),
    );
  const stateOf = async () => {
    const health = (await (await fetch(`${quire.gateways[0]}/health`)).json()) as {
      status: string;
      models: { chain: { state: string }[] };
    };
    return { status: health.status, state: health.models.chain[0]?.state };
  };

  it('the circuit breaker opens for a model that keeps failing, lets one call probe it, and closes when the probe succeeds', async () => {
    onTestFinished(() => quire.startAfresh());
    const { chat } = quire.providers;
    chat.byDefault(failWith(503));
    for (let run = 0; run < 3; run += 1) expect(await modes(1)).toEqual(['retrieval_only']);
    expect(chat.requests).toHaveLength(FAILURES_TO_OPEN);
    expect(await stateOf()).toEqual({ status: 'degraded', state: 'open' });
    expect(await modes(2)).toEqual(['retrieval_only', 'retrieval_only']);
    expect(chat.requests).toHaveLength(FAILURES_TO_OPEN);

    await endOpenTime();
    chat.reset();
    let release = () => {};
    const othersHaveEnded = new Promise<void>((resolve) => (release = resolve));
    chat.byDefault(async () => {
      await othersHaveEnded;
      return answer(WHOLE);
    });
    const ended: string[] = [];
    const all = Array.from({ length: 6 }, async () => ended.push(...(await modes(1))));
    await eventually(() => expect(ended).toHaveLength(5));
    expect(chat.requests).toHaveLength(1);
    release();
    await Promise.all(all);
    expect(ended).toEqual([...Array.from({ length: 5 }, () => 'retrieval_only'), 'full']);
    expect(await stateOf()).toEqual({ status: 'ok', state: 'closed' });
    expect(await modes(3)).toEqual(['full', 'full', 'full']);
  });

  /** Makes the next call a probe. */
  async function endOpenTime(): Promise<void> {
    for (const key of await quire.redis.keys(redisKeys.modelBreaker('*'))) {
      const breaker = JSON.parse((await quire.redis.get(key)) ?? '{}') as object;
      await quire.redis.set(key, JSON.stringify({ ...breaker, open_until: 0 }), 'KEEPTTL');
    }
  }
});

const asks = (message: string) => (request: ChatRequest) => messageTexts(request).join().includes(message);
const callsFor = (message: string) => quire.providers.chat.requests.filter(({ body }) => asks(message)(body));
const abortOf = (message: string) =>
  eventually(() => {
    const [call] = callsFor(message);
    expect(call).toMatchObject({ aborted: true, abortedAt: expect.any(Number) as number });
    return call?.abortedAt ?? 0;
  });

/** The id of a run whose model has sent its first token and now pauses. */
async function pausing(message: string, gateway = quire.gateways[0]): Promise<string> {
  const response = await fetch(`${gateway}/chat/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  const events = await collectEvents(response, 5);
  expect(events.map(({ event }) => event)).toEqual(['queued', 'status', 'retrieval', 'status', 'delta']);
  return response.headers.get('x-request-id') ?? '';
}

const follow = async (runId: string) =>
  collectEvents(await fetch(`${quire.gateways[0]}/chat/${runId}/stream`));
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const untilStopped = { attempt: 1, model: 'only', tenant: 'local', calls: 1, estimated: true };

describe.concurrent('an aborted model call', () => {
  beforeAll(() => {
    quire.providers.chat.byDefault((request) => {
      const isTakenOver = asks('handed back')(request) && callsFor('handed back').length > 1;
      return answer(WHOLE, { tokenMs: isTakenOver ? 0 : PAUSE_MS });
    });
  });

  it('a model call is aborted, with its spend recorded, before another worker takes the run of a worker whose grace is over', async () => {
    const message = `${QUESTION} (handed back)`;
    const worker = quire.processes.find(({ name }) => name === 'agent-worker');
    const runId = await pausing(message);
    await quire.start('agent-worker');
    const stopped = worker?.kill('SIGTERM');
    const events = await follow(runId);
    expect(events.at(-1)?.event).toBe('completed');
    expect(textOf(events)).toBe(WHOLE);
    expect(callsFor(message)).toHaveLength(2);
    expect(await abortOf(message)).toBeLessThanOrEqual(callsFor(message)[1]?.receivedAt ?? 0);
    expect(await quire.bookedFor(runId)).toEqual([
      expect.objectContaining(untilStopped),
      expect.objectContaining({ attempt: 2, model: 'only', calls: 1, estimated: false }),
    ]);
    await stopped;
    expect(worker?.child.exitCode).toBe(0);
  });

  // Sequential: a worker that another test stops would hand this run to a second one.
  it.sequential('a model call is aborted, with its spend recorded, early enough for an answer of sources before the deadline', async () => {
    const message = `${QUESTION} (short of time)`;
    const runId = await pausing(message, shortOfTime);
    const events = await follow(runId);
    const toldAt = Date.now();
    expect(events.at(-1)?.event).toBe('completed');
    const { sources, metadata } = chatResponseSchema.parse(JSON.parse(events.at(-1)?.data ?? ''));
    expect(metadata).toMatchObject({ mode: 'retrieval_only', degraded_reason: 'model_overdue' });
    expect(sources).toHaveLength(1);
    expect(await abortOf(message)).toBeLessThanOrEqual(toldAt);
    const { prompt, completion } = metadata.tokens_used;
    expect(completion).toBeGreaterThan(0);
    expect(await quire.bookedFor(runId)).toMatchObject([
      { ...untilStopped, prompt_tokens: prompt, completion_tokens: completion, cost_usd: metadata.cost_usd },
    ]);
  });

  it('a model call is aborted, with its spend recorded, by DELETE, sooner than its first token came', async () => {
    const firstWord: number[] = [];
    const abort: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const message = `${QUESTION} (cancelled ${round})`;
      const askedAt = Date.now();
      const runId = await pausing(message);
      const cancelledAt = Date.now();
      const response = await fetch(`${quire.gateways[0]}/chat/${runId}`, { method: 'DELETE' });
      const { state, tokens_used: spent } = (await response.json()) as Cancelled;
      expect(state).toBe('cancelled');
      expect(spent.completion).toBeGreaterThan(0);
      expect(await quire.bookedFor(runId)).toMatchObject([
        { ...untilStopped, prompt_tokens: spent.prompt, completion_tokens: spent.completion },
      ]);
      firstWord.push(cancelledAt - askedAt);
      abort.push((await abortOf(message)) - cancelledAt);
    }
    expect(median(abort)).toBeLessThan(median(firstWord));
  });
});

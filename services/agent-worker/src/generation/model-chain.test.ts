import type { CallDecision, CircuitBreaker } from '@quire/shared/models';
import { createLogger } from '@quire/shared/logging';
import { expect, it } from 'vitest';
import { ModelFailure, type ChatModel, type ModelFailureKind } from './chat-model.js';
import { ModelChain, type ChainTask } from './model-chain.js';

const caller = { run: 'run', tenant: 'local' };

/** A chain of models with these names; `reports` lists what the breaker and the metrics were told. */
function chainOf(names: string[], refused: Partial<Record<string, CallDecision>> = {}) {
  const reports: string[] = [];
  const report = (what: string) => (model: string) => {
    reports.push(`${what} ${model}`);
    return Promise.resolve();
  };
  const breaker: CircuitBreaker = {
    admit: (id) => Promise.resolve(refused[id] ?? { admitted: true, probe: false, ticket: '', caller }),
    succeeded: report('succeeded'),
    failed: report('failed'),
    abandoned: report('abandoned'),
    states: () => Promise.resolve(new Map()),
  };
  const models = names.map((name): ChatModel => ({
    id: name,
    name,
    stream: () => expect.fail('not called'),
  }));
  return { chain: new ModelChain(models, breaker, () => {}), reports };
}

const task = (changes: Partial<ChainTask> = {}): ChainTask => ({
  until: Date.now() + 60_000,
  signal: new AbortController().signal,
  log: createLogger('test', 'silent'),
  caller,
  ...changes,
});

/** Fails every call like this; returns the models called and the reason at the end. */
async function failAll(chain: ModelChain, kind: ModelFailureKind, hasShown = false) {
  const called: string[] = [];
  const calls = chain.calls(task());
  for await (const call of calls) {
    called.push(call.model.name);
    await call.failed(new ModelFailure(kind, kind), hasShown);
  }
  return { called, reason: calls.failure };
}

it.each<[ModelFailureKind, hasShown: boolean, called: string[], report: string]>([
  ['unavailable', false, ['a', 'a', 'b', 'b'], 'failed'],
  ['unavailable', true, ['a', 'b'], 'failed'],
  ['misconfigured', false, ['a', 'b'], 'failed'],
  ['rejected', false, ['a', 'b'], 'abandoned'],
  ['filtered', false, ['a', 'b'], 'succeeded'],
  ['misbehaved', false, ['a', 'b'], 'succeeded'],
])(
  'if every call fails as %s (text shown: %s), the chain calls %j and reports each as %s',
  async (kind, hasShown, ...rest) => {
    const [called, report] = rest;
    const { chain, reports } = chainOf(['a', 'b']);
    expect(await failAll(chain, kind, hasShown)).toEqual({ called, reason: kind });
    expect(reports).toEqual(called.map((model) => `${report} ${model}`));
  },
);

it('a model that the circuit breaker refuses is skipped', async () => {
  const refusal: CallDecision = { admitted: false, reason: 'unavailable', retryAfterMs: 10_000 };
  const { chain } = chainOf(['a', 'b'], { a: refusal });
  expect(await failAll(chain, 'misbehaved')).toEqual({ called: ['b'], reason: 'misbehaved' });
});

it('a chain without models has no calls', async () => {
  expect(await failAll(chainOf([]).chain, 'misbehaved')).toEqual({ called: [], reason: 'refused' });
});

it('a task whose time is over has no calls', async () => {
  const calls = chainOf(['a']).chain.calls(task({ until: Date.now() }));
  for await (const _call of calls) expect.fail('called');
  expect(calls.failure).toBe('overdue');
});

it('a call that ends with the time of its task ends the calls as overdue', async () => {
  const { chain, reports } = chainOf(['a', 'b']);
  const calls = chain.calls(task({ until: Date.now() + 20 }));
  const called: string[] = [];
  for await (const { model, signal, failed } of calls) {
    called.push(model.name);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await failed(signal.reason, true);
  }
  expect({ called, reason: calls.failure }).toEqual({ called: ['a'], reason: 'overdue' });
  expect(reports).toEqual(['abandoned a']);
});

it('an error that is no failure of the model is thrown, and the breaker learns nothing from it', async () => {
  const { chain, reports } = chainOf(['a', 'b']);
  const stopping = new AbortController();
  const loop = async () => {
    for await (const call of chain.calls(task({ signal: stopping.signal }))) {
      stopping.abort(new Error('stopping'));
      await call.failed(call.signal.reason, false);
    }
  };
  await expect(loop()).rejects.toThrow('stopping');
  expect(reports).toEqual(['abandoned a']);
});

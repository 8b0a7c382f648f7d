import { expect, it } from 'vitest';
import { newView, type ClientView } from '../clients/client-view.js';
import { summariseFaults } from './recovery.js';

function asked(askedAt: number, endedAt: number, changes: Partial<ClientView> = {}): ClientView {
  const responseEndings = [{ type: 'completed', mode: 'full', answer: 'text' }] as const;
  return {
    ...newView('json', 'q', 's', askedAt),
    endedAt,
    responseEndings: [...responseEndings],
    ...changes,
  };
}
const kill = { name: 'agent-kill', begunAt: 1000, endedAt: 2000 } as const;

it('recovery counts from the end of a fault to the first answer of a question asked after it', () => {
  const views = [asked(1500, 2100), asked(2200, 6000), asked(2300, 5000)];
  expect(summariseFaults([kill], views, [])).toMatchObject([
    { name: 'agent-kill', injected: 1, slowestRecoveryMs: 3000 },
  ]);
});

it('the slowest recovery of several faults of a kind is reported', () => {
  const second = { ...kill, begunAt: 10_000, endedAt: 11_000 };
  const views = [asked(2200, 3000), asked(11_500, 15_000)];
  expect(summariseFaults([kill, second], views, [])).toMatchObject([
    { injected: 2, slowestRecoveryMs: 4000 },
  ]);
});

it('a failure is no recovery', () => {
  const views = [asked(2200, 3000, { responseEndings: [{ type: 'failed', code: 'INTERNAL' }] })];
  expect(summariseFaults([kill], views, [])).toMatchObject([{ slowestRecoveryMs: Infinity }]);
});

it('the slowest takeover of each kind of fault is reported, apart from those that another fault hindered', () => {
  const takeover = (afterMs: number, isHindered: boolean) => ({
    fault: kill,
    runId: 'r',
    afterMs,
    isHindered,
  });
  const takeovers = [takeover(4900, false), takeover(3000, false), takeover(12_000, true)];
  const flush = { ...kill, name: 'redis-flush' } as const;
  expect(summariseFaults([kill, flush], [], takeovers)).toMatchObject([
    { name: 'agent-kill', slowestTakeoverMs: 4900, slowestHinderedTakeoverMs: 12_000 },
    { name: 'redis-flush', slowestTakeoverMs: undefined, slowestHinderedTakeoverMs: undefined },
  ]);
});

import { expect, it } from 'vitest';
import { newView, type ClientView } from '../clients/client-view.js';
import { summariseFaults } from './recovery.js';

function asked(askedAt: number, endedAt: number, changes: Partial<ClientView> = {}): ClientView {
  const toldEndings = [{ type: 'completed', mode: 'full', answer: 'text' }] as const;
  return { ...newView('json', 'q', 's', askedAt), endedAt, toldEndings: [...toldEndings], ...changes };
}
const kill = { name: 'agent-kill', begunAt: 1000, endedAt: 2000 } as const;

it('recovery counts from the end of a fault to the first answer of a question asked after it', () => {
  const views = [asked(1500, 2100), asked(2200, 6000), asked(2300, 5000)];
  expect(summariseFaults([kill], views)).toMatchObject([
    { name: 'agent-kill', injected: 1, slowestRecoveryMs: 3000 },
  ]);
});

it('of several faults of a kind the slowest recovery is told', () => {
  const second = { ...kill, begunAt: 10_000, endedAt: 11_000 };
  const views = [asked(2200, 3000), asked(11_500, 15_000)];
  expect(summariseFaults([kill, second], views)).toMatchObject([{ injected: 2, slowestRecoveryMs: 4000 }]);
});

it('a failure is no recovery', () => {
  const views = [asked(2200, 3000, { toldEndings: [{ type: 'failed', code: 'INTERNAL' }] })];
  expect(summariseFaults([kill], views)).toMatchObject([{ slowestRecoveryMs: Infinity }]);
});

it('the slowest takeover is told of killed and frozen agent workers, counted from the blow', () => {
  const events = [
    { id: 1, type: 'delta', at: 900, text: 'a' },
    { id: 2, type: 'reset', at: 5900, reason: 'taken_over' },
  ];
  const views = [asked(500, 9000, { events })];
  expect(summariseFaults([kill], views)).toMatchObject([
    { slowestTakeoverMs: 4900, slowestTakeoverBesideMs: undefined },
  ]);
  const pause = { name: 'redis-pause', begunAt: 5800, endedAt: 9000 } as const;
  expect(summariseFaults([kill, pause], views)[0]).toMatchObject({
    slowestTakeoverMs: undefined,
    slowestTakeoverBesideMs: 4900,
  });
  const later = { ...kill, begunAt: 7000, endedAt: 8000 };
  expect(summariseFaults([later], views)).toMatchObject([{ slowestTakeoverMs: undefined }]);
  const flush = { ...kill, name: 'redis-flush' } as const;
  expect(summariseFaults([flush], views)).toMatchObject([{ slowestTakeoverMs: undefined }]);
});

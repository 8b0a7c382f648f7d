import { reportText, runChaos } from '@quire/chaos';
import { expect, it } from 'vitest';

/** The short ones, and a worker that wakes up when its runs are another's. */
const faults = [
  'agent-kill',
  'agent-freeze',
  'retrieval-kill',
  'gateway-kill',
  'drain-one',
  'redis-crash',
  'redis-flush',
  'redis-reset',
  'postgres-crash',
  'postgres-reset',
  'qdrant-reset',
] as const;
/** One whose schedule has room for each of them, drains an agent worker, and lets the frozen one alone meanwhile. */
const seed = 17_307;

it('loses, doubles and hangs no question while processes die, freeze and drain, and each store fails', async () => {
  const report = await runChaos({ seed, seconds: 40, clients: 8, faults });
  process.stderr.write(`${reportText(report)}\n`);
  expect(report.faults.map(({ name }) => name).sort()).toEqual([...faults].sort());
  expect(report.totals.answered).toBeGreaterThan(0);
  expect(report.totals.takenOver).toBeGreaterThan(0);
  expect(report.totals).toMatchObject({ lost: 0, doubled: 0, hung: 0 });
  expect(report).toMatchObject({
    offences: [],
    lateTakeovers: [],
    leftUnderWay: [],
    leaked: [],
    unexpectedEnds: [],
  });
});

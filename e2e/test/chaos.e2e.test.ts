import { reportText, runChaos } from '@quire/chaos';
import { expect, it } from 'vitest';

/** The short faults, and a worker that resumes after its runs were taken over. */
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
/** With this seed each fault fits in, an agent worker drains, and no other fault affects the frozen one. */
const seed = 17_307;

it('no question is lost, doubled or left hanging while processes die, freeze and drain, and each store fails', async () => {
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

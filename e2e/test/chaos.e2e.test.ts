import { reportText, runChaos } from '@quire/chaos';
import { expect, it } from 'vitest';

const faults = ['agent-kill', 'redis-flush', 'gateway-kill', 'redis-reset', 'postgres-reset'] as const;

it('loses, doubles and hangs no question while processes are killed, Redis is wiped and connections break', async () => {
  const report = await runChaos({ seed: 11, seconds: 40, clients: 8, faults });
  process.stderr.write(`${reportText(report)}\n`);
  expect(report.faults.map(({ name }) => name).sort()).toEqual([...faults].sort());
  expect(report.totals.answered).toBeGreaterThan(20);
  expect(report.totals).toMatchObject({ lost: 0, doubled: 0, hung: 0 });
  expect(report).toMatchObject({ offences: [], leftUnderWay: [], leaked: [] });
}, 300_000);

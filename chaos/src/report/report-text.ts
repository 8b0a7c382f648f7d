import type { PlannedFault } from '../faults/schedule.js';
import type { FaultSummary } from '../verdict/recovery.js';
import type { Offence, Totals } from '../verdict/totals.js';
import { aligned } from '@quire/testkit/aligned';
import type { ChaosReport } from './report.js';

const SHOWN_OFFENCES = 20;
const NONE = '–';

export function scheduleText(schedule: readonly PlannedFault[]): string {
  const rows = schedule.map(({ name, atMs, lastsMs }) => [
    `  ${name}`,
    `at ${seconds(atMs)}`,
    `for ${seconds(lastsMs)}`,
  ]);
  return aligned(rows);
}

export function reportText(report: ChaosReport): string {
  return [
    faultTable(report.faults),
    totalsTable(report),
    ...report.totals.overdue.map((id) => `begun, but not ended by its deadline: ${id}\n`),
    ...report.offences.slice(0, SHOWN_OFFENCES).map(offenceText),
    ...(report.offences.length > SHOWN_OFFENCES
      ? [`… and ${report.offences.length - SHOWN_OFFENCES} more; --json writes them all\n`]
      : []),
    ...report.lateTakeovers.map(
      ({ fault, runId, afterMs }) => `${fault.name}: ${runId} was taken over after ${seconds(afterMs)}\n`,
    ),
    ...report.unexpectedEnds.map(
      ({ label, how, lastLines }) =>
        `${label} ended by itself with ${how}:\n${lastLines.map((line) => `  ${line}\n`).join('')}`,
    ),
    ...report.leftUnderWay.map((left) => `still under way: ${left}\n`),
    ...report.leaked.map((process) => `still running: ${process}\n`),
  ].join('\n');
}

function faultTable(faults: readonly FaultSummary[]): string {
  return aligned([
    ['fault', 'injected', 'slowest recovery', 'slowest takeover', 'hindered takeover'],
    ...faults.map(({ name, injected, ...times }) => [
      name,
      String(injected),
      recovery(times.slowestRecoveryMs),
      recovery(times.slowestTakeoverMs),
      recovery(times.slowestHinderedTakeoverMs),
    ]),
  ]);
}

function totalsTable({ totals, slowestRecoveryMs, unexpectedEnds }: ChaosReport): string {
  return aligned([
    ['questions', String(totals.questions)],
    ['runs', String(totals.runs)],
    ['answered', String(totals.answered)],
    ['retrieval_only', String(totals.retrievalOnly)],
    ...byCode('failed', totals.failed),
    ['cancelled', String(totals.cancelled)],
    ...byCode('left', totals.left),
    ['resumed streams', String(totals.resumed)],
    ['shortened streams', String(totals.shortened)],
    ['taken over', String(totals.takenOver)],
    ...byCode('refused', totals.refused),
    ['services ended by themselves', String(unexpectedEnds.length)],
    ['slowest recovery', recovery(slowestRecoveryMs)],
    ['lost', String(totals.lost)],
    ['doubled', String(totals.doubled)],
    ['hung', String(totals.hung)],
  ]);
}

function byCode(what: string, counts: Totals['failed']): string[][] {
  const rows = Object.entries(counts).map(([code, count]) => [`${what} ${code}`, String(count)]);
  return rows.length === 0 ? [[what, '0']] : rows.sort();
}

function offenceText({ kind, runIds, findings }: Offence): string {
  const lines = findings.map(({ harm, what }) => `  ${harm}: ${what}\n`);
  return `${kind} ${runIds.join(', ') || '(no run)'}\n${lines.join('')}`;
}

function recovery(ms: number | undefined): string {
  if (ms === undefined) return NONE;
  return Number.isFinite(ms) ? seconds(ms) : 'never';
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

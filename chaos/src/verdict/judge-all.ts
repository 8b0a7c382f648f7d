import type { ClientView } from '../clients/client-view.js';
import { faultKinds } from '../faults/fault-kinds.js';
import type { PastFault } from '../faults/run-schedule.js';
import { judgeQuestion } from './judge-question.js';
import type { StoredQuestion } from './stored-question.js';
import type { Offence } from './totals.js';

/** Every question that was lost, doubled or left hanging. */
export function judgeAll(
  views: readonly ClientView[],
  stored: ReadonlyMap<string, StoredQuestion>,
  past: readonly PastFault[],
): Offence[] {
  const redisFaults = past.filter(({ name }) => faultKinds[name].on === 'redis');
  return views.flatMap((view) => {
    const question = stored.get(view.sessionId) ?? { runs: [], messages: [] };
    const logMayBeLost = redisFaults.some(
      ({ begunAt, endedAt }) => view.askedAt <= endedAt && (view.endedAt ?? Infinity) >= begunAt,
    );
    const findings = judgeQuestion(view, question, { logMayBeLost });
    if (findings.length === 0) return [];
    const runIds = [...new Set([...view.runIds, ...question.runs.map(({ id }) => id)])];
    const { kind, sessionId, askedAt } = view;
    return [
      { kind, sessionId, runIds, findings, askedAt: new Date(askedAt).toISOString(), trace: traceOf(view) },
    ];
  });
}

function traceOf({ askedAt, events }: ClientView): string[] {
  return events.map(({ at, id, type, reason }) =>
    `${at - askedAt} ms ${id ?? '-'} ${type} ${reason ?? ''}`.trim(),
  );
}

import { endingsOf, textOf, type ClientView } from '../clients/client-view.js';
import type { Finding, Harm } from './finding.js';
import type { StoredQuestion, StoredRun } from './stored-question.js';

/** A question with findings. */
export interface Offence {
  kind: string;
  sessionId: string;
  runIds: string[];
  findings: Finding[];
  askedAt: string;
  /** The client's events, each with its milliseconds since `askedAt`. */
  trace: string[];
}

export interface Totals {
  questions: number;
  /** Rows in Postgres. */
  runs: number;
  answered: number;
  retrievalOnly: number;
  cancelled: number;
  failed: Record<string, number>;
  /** Refusals, by code. */
  refused: Record<string, number>;
  resumed: number;
  /** Runs whose clients left for ever, by outcome. */
  left: Record<string, number>;
  takenOver: number;
  /** Streams whose log was lost in part: the outcome has the rest of the answer. */
  shortened: number;
  /** Runs that were claimed and did not end by their deadline, although no fault lasts that long. */
  overdue: string[];
  lost: number;
  doubled: number;
  hung: number;
}

export function countTotals(
  views: readonly ClientView[],
  stored: ReadonlyMap<string, StoredQuestion>,
  offences: readonly Offence[],
): Totals {
  const endings = views.flatMap((view) => endingsOf(view)[0] ?? []);
  const runs = [...stored.values()].flatMap((question) => question.runs);
  const suffering = (harm: Harm) =>
    offences.filter(({ findings }) => findings.some((finding) => finding.harm === harm)).length;
  return {
    questions: views.length,
    runs: runs.length,
    answered: endings.filter((ending) => ending.type === 'completed' && ending.answer !== null).length,
    retrievalOnly: endings.filter((ending) => ending.type === 'completed' && ending.answer === null).length,
    cancelled: endings.filter(({ type }) => type === 'cancelled').length,
    failed: countBy(endings.flatMap((ending) => (ending.type === 'failed' ? [[ending.code, 1]] : []))),
    refused: countBy(views.flatMap(({ refusals }) => Object.entries(refusals))),
    resumed: views.filter(({ resumes }) => resumes > 0).length,
    left: countBy(
      views
        .filter(({ hasLeft }) => hasLeft)
        .flatMap(({ sessionId }) => stored.get(sessionId)?.runs ?? [])
        .flatMap(({ ending }) => (ending ? [[ending.type, 1]] : [])),
    ),
    takenOver: runs.filter(({ attempt }) => attempt > 1).length,
    shortened: views.filter(isShortened).length,
    overdue: runs.filter(isOverdue).map(({ id }) => id),
    lost: suffering('lost'),
    doubled: suffering('doubled'),
    hung: suffering('hung'),
  };
}

function isOverdue({ ending, attempt }: StoredRun): boolean {
  return ending?.type === 'failed' && ending.code === 'DEADLINE_EXCEEDED' && attempt > 0;
}

function isShortened(view: ClientView): boolean {
  const [ending] = endingsOf(view);
  if (view.events.length === 0 || ending?.type !== 'completed') return false;
  return textOf(view.events) !== (ending.answer ?? '');
}

function countBy(entries: readonly (readonly [string, number])[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, count] of entries) counts[name] = (counts[name] ?? 0) + count;
  return counts;
}

import { endingsOf, type ClientView, type Ending } from '../clients/client-view.js';
import { compareText } from '../questions/compare-text.js';
import { scriptedAnswer } from '../questions/scripted-answer.js';
import { doubled, hung, lost, type Finding } from './finding.js';
import { judgeStored, realRuns } from './judge-stored.js';
import { judgeStream, type Circumstances } from './judge-stream.js';
import type { StoredQuestion } from './stored-question.js';

/** Compares what a client received for its question with what Postgres holds of it. */
export function judgeQuestion(
  view: ClientView,
  stored: StoredQuestion,
  circumstances: Circumstances,
): Finding[] {
  return [
    ...judgeWaiting(view),
    ...judgeStored(stored),
    ...judgeRunIds(view, stored),
    ...judgeEndings(view, stored),
    ...judgeAnswer(view, stored),
    ...judgeStream(view, circumstances),
  ];
}

function judgeWaiting({ hungAt, unexpected, endedAt, askedAt }: ClientView): Finding[] {
  const seconds = Math.round(((endedAt ?? askedAt) - askedAt) / 1000);
  return [
    ...(hungAt === undefined ? [] : [hung(`after ${seconds} s still waiting: ${hungAt}`)]),
    ...unexpected.map((what) => lost(`got an unexpected response: ${what}`)),
  ];
}

function judgeRunIds({ runIds }: ClientView, { runs }: StoredQuestion): Finding[] {
  const unknown = runIds.filter((id) => runs.every((run) => run.id !== id));
  return [
    ...(runIds.length > 1
      ? [doubled(`was given ${runIds.length} runs for one key: ${runIds.join(', ')}`)]
      : []),
    ...unknown.map((id) => lost(`was given run ${id}, which Postgres does not hold`)),
  ];
}

function judgeEndings(view: ClientView, stored: StoredQuestion): Finding[] {
  const endings = endingsOf(view);
  const [first, ...others] = endings;
  // A client that leaves receives no outcome; its run's outcome is in Postgres alone.
  if (view.hasLeft) return [];
  if (!first) {
    const isGiven = view.runIds.length > 0 || realRuns(stored).length > 0;
    return isGiven ? [lost('its outcome never reached the client')] : [];
  }
  const findings = others
    .filter((other) => !isSameEnding(other, first))
    .map((other) => doubled(`received two outcomes: ${nameOf(first)} and ${nameOf(other)}`));
  if (first.type === 'cancelled' && !view.cancelAsked && !(view.kind === 'json' && view.wasCut)) {
    findings.push(lost('was cancelled without a request to cancel it'));
  }
  if (![undefined, 'cancelling', first.type].includes(view.cancelState)) {
    findings.push(doubled(`DELETE returned ${view.cancelState}, but the client received ${nameOf(first)}`));
  }
  const given = stored.runs.filter(({ id }) => view.runIds.includes(id));
  for (const { id, ending } of given) {
    if (ending && !isSameEnding(ending, first)) {
      findings.push(doubled(`received ${nameOf(first)}, but run ${id} is stored as ${nameOf(ending)}`));
    }
  }
  return findings;
}

function judgeAnswer(view: ClientView, stored: StoredQuestion): Finding[] {
  const ending = view.hasLeft ? realRuns(stored)[0]?.ending : endingsOf(view)[0];
  if (ending?.type !== 'completed') return [];
  if (ending.mode === 'retrieval_only' && ending.answer === null) return [];
  if (ending.mode !== 'full' && ending.mode !== 'low_confidence') {
    return [lost(`was answered as ${ending.mode}, though the book holds the answer`)];
  }
  const problem = compareText(ending.answer ?? '', scriptedAnswer(view.token));
  if (!problem) return [];
  const finding = problem.kind === 'repeated' ? doubled : lost;
  return [finding(`its answer ${problem.what}`)];
}

function isSameEnding(a: Ending, b: Ending): boolean {
  if (a.type === 'completed' && b.type === 'completed') return a.answer === b.answer && a.mode === b.mode;
  if (a.type === 'failed' && b.type === 'failed') return a.code === b.code;
  return a.type === b.type;
}

function nameOf(ending: Ending): string {
  if (ending.type === 'failed') return `failed ${ending.code}`;
  return ending.type === 'completed' ? `completed ${ending.mode}` : ending.type;
}

import { doubled, lost, type Finding } from './finding.js';
import { isRefusal } from './refusal.js';
import type { StoredQuestion, StoredRun } from './stored-question.js';

/** The runs of a question without those that were closed because the queue did not take them. */
export function realRuns({ runs }: StoredQuestion): StoredRun[] {
  return runs.filter(
    ({ attempt, ending }) => !(attempt === 0 && ending?.type === 'failed' && isRefusal(ending.code)),
  );
}

/** Postgres must hold one run, one outcome and one turn of every question, whatever its client received. */
export function judgeStored(stored: StoredQuestion): Finding[] {
  const runs = realRuns(stored);
  return [
    ...(runs.length > 1
      ? [doubled(`has ${runs.length} runs for one key: ${runs.map(({ id }) => id).join(', ')}`)]
      : []),
    ...runs.flatMap(judgeRun),
    ...judgeTurns(stored),
  ];
}

function judgeRun({ id, attempt, ending }: StoredRun): Finding[] {
  if (!ending) return [lost(`run ${id} has no outcome (${attempt} attempts)`)];
  // No fault lasts as long as a deadline: a run that was never started by then was lost by the queue.
  if (ending.type === 'failed' && ending.code === 'DEADLINE_EXCEEDED' && attempt === 0) {
    return [lost(`run ${id} was closed at its deadline and no worker had ever started it`)];
  }
  // A store that was away has its own code: INTERNAL is a defect, or a job that BullMQ gave up.
  if (ending.type === 'failed' && ending.code === 'INTERNAL') {
    return [lost(`run ${id} failed with INTERNAL (${attempt} attempts)`)];
  }
  return [];
}

function judgeTurns({ runs, messages }: StoredQuestion): Finding[] {
  return runs.flatMap(({ id, ending }) => {
    const turn = messages.filter(({ runId }) => runId === id);
    const expected = ending?.type === 'completed' ? 2 : 0;
    if (turn.length > expected) return [doubled(`run ${id} has ${turn.length} messages, not ${expected}`)];
    if (turn.length < expected) return [lost(`run ${id} has ${turn.length} messages, not ${expected}`)];
    const reply = turn.find(({ role }) => role === 'assistant');
    if (ending?.type === 'completed' && ending.answer !== null && reply?.content !== ending.answer) {
      return [lost(`the thread holds another answer than run ${id}`)];
    }
    return [];
  });
}

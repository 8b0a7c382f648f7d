import { endingsOf, textOf, type ClientView, type SeenEvent } from '../clients/client-view.js';
import { compareText } from '../questions/compare-text.js';
import { scriptedAnswer } from '../questions/scripted-answer.js';
import { doubled, lost, type Finding } from './finding.js';

export interface Circumstances {
  /** A fault of Redis may have removed a part of the log while the question was open. */
  logMayBeLost: boolean;
}

/** Over all connections of a client, event ids must grow, and there must be one end and the text of the answer. */
export function judgeStream(view: ClientView, circumstances: Circumstances): Finding[] {
  const { events } = view;
  if (events.length === 0) return [];
  return [...judgeNumbers(events), ...judgeEnds(events), ...judgeText(view, circumstances)];
}

function judgeNumbers(events: readonly SeenEvent[]): Finding[] {
  const findings: Finding[] = [];
  let last = 0;
  for (const { id, type } of events) {
    // A reset without an id announces that the log was lost: its numbers start again.
    if (type === 'reset' && id === undefined) last = 0;
    if (id === undefined) continue;
    if (id <= last) findings.push(doubled(`event ${id} (${type}) came after event ${last}`));
    last = Math.max(last, id);
  }
  return findings.slice(0, 1);
}

function judgeEnds(events: readonly SeenEvent[]): Finding[] {
  const ends = events.filter(({ ending }) => ending !== undefined);
  const last = events.at(-1);
  if (ends.length > 1) return [doubled(`got ${ends.length} terminal events`)];
  if (ends.length === 1 && last && !last.ending)
    return [doubled(`got ${last.type} after the terminal event`)];
  return [];
}

/** A stream whose log was lost may lack the end of the text, which the outcome holds, but its text must not differ. */
function judgeText(view: ClientView, { logMayBeLost }: Circumstances): Finding[] {
  const text = textOf(view.events);
  const [ending] = endingsOf(view);
  const isCompleted = ending?.type === 'completed';
  const answer = isCompleted ? (ending.answer ?? '') : scriptedAnswer(view.token);
  if (text === answer) return [];
  if ((!isCompleted || logMayBeLost) && answer.startsWith(text)) return [];
  const problem = compareText(text, answer);
  const finding = problem?.kind === 'repeated' ? doubled : lost;
  return problem ? [finding(`its streamed text ${problem.what}`)] : [];
}

import { RunCancelled } from '@quire/shared/cancellation';
import { recentExchanges } from '@quire/shared/database';
import { DeadlineExceeded } from '@quire/shared/errors';
import { withLinkedSignal } from '@quire/shared/process';
import type { Answer } from '../response/answer.js';
import { answerFromBook } from './answer-from-book.js';
import { answerFromSelection } from './answer-from-selection.js';
import type { AnswerDependencies } from './answering.js';
import type { Execution } from './execution.js';

const HISTORY_EXCHANGES = 5;

/** Returns the answer, or throws why there is none: `RunCancelled`, `Fenced`, `DeadlineExceeded` or a failure. */
export async function answerQuestion(
  deps: AnswerDependencies,
  execution: Execution,
  stopping: AbortSignal,
  cancelled: AbortSignal,
): Promise<Answer> {
  const { run, thread, writer, startedAt } = execution;
  if (run.cancelRequested || (run.abandoned && (await deps.cancelIfLeft(run.id)))) {
    throw new RunCancelled(run.id);
  }
  const left = run.deadlineAt.getTime() - startedAt;
  if (left <= 0) throw new DeadlineExceeded();
  const deadline = AbortSignal.timeout(left);
  if (run.attempt > 1) {
    const data = { request_id: run.id, attempt: run.attempt, reason: 'taken_over' };
    await writer.emit({ type: 'reset', data });
  }
  const history = await recentExchanges(deps.db, thread, HISTORY_EXCHANGES);
  try {
    return await withLinkedSignal([stopping, deadline, writer.supersededSignal, cancelled], (signal) => {
      const answering = { ...deps, ...execution, history, signal };
      const { selected_text: selection } = run.request;
      return selection === undefined ? answerFromBook(answering) : answerFromSelection(answering, selection);
    });
  } catch (error) {
    cancelled.throwIfAborted();
    writer.supersededSignal.throwIfAborted();
    if (deadline.aborted) throw new DeadlineExceeded(undefined, { cause: error });
    throw error;
  }
}

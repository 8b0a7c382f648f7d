import type { AnswerMode } from '@quire/shared/contracts';
import type { Ending } from './client-view.js';

/** The parts of the bodies that the verdict reads; the contract has its own tests. */
export interface AnswerBody {
  request_id: string;
  answer: string | null;
  metadata: { mode: AnswerMode };
}

export interface RunBody {
  request_id: string;
  state: string;
  response?: AnswerBody;
  error?: { error_code: string };
}

export function completedAs({ answer, metadata }: AnswerBody): Ending {
  return { type: 'completed', mode: metadata.mode, answer };
}

/** What `GET /chat/{request_id}` says of a run's end, if it has ended. */
export function endingOfRun({ state, response, error }: RunBody): Ending | undefined {
  if (response) return completedAs(response);
  if (error) return { type: 'failed', code: error.error_code };
  return state === 'cancelled' ? { type: 'cancelled' } : undefined;
}

/** What a terminal event says. */
export function endingOfEvent(type: string, data: unknown): Ending | undefined {
  if (type === 'completed') return completedAs(data as AnswerBody);
  if (type === 'failed') return { type, code: (data as { error_code: string }).error_code };
  return type === 'cancelled' ? { type } : undefined;
}

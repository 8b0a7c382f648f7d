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

/** Returns undefined if the connection breaks within the body. */
export const jsonIn = <T>(response: Response): Promise<T | undefined> =>
  response.json().then(
    (body) => body as T,
    () => undefined,
  );

export function completedAs({ answer, metadata }: AnswerBody): Ending {
  return { type: 'completed', mode: metadata.mode, answer };
}

/** The outcome in a response of `GET /chat/{request_id}`, if the run has ended. */
export function endingOfRun({ state, response, error }: RunBody): Ending | undefined {
  if (response) return completedAs(response);
  if (error) return { type: 'failed', code: error.error_code };
  return state === 'cancelled' ? { type: 'cancelled' } : undefined;
}

/** The outcome in a terminal event; undefined for other events. */
export function endingOfEvent(type: string, data: unknown): Ending | undefined {
  if (type === 'completed') return completedAs(data as AnswerBody);
  if (type === 'failed') return { type, code: (data as { error_code: string }).error_code };
  return type === 'cancelled' ? { type } : undefined;
}

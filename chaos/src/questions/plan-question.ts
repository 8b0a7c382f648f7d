import type { Random } from '@quire/testkit/random';
import { questionKinds, type QuestionKind } from '../clients/client-view.js';
import { tokenOf } from './scripted-answer.js';

export interface PlannedQuestion {
  kind: QuestionKind;
  /** Determines the answer, and how long it takes. */
  token: string;
  sessionId: string;
  idempotencyKey: string;
}

/** The next question of a client; depends on its seed alone. */
export function planQuestion(random: Random): PlannedQuestion {
  return {
    kind: random.pick(questionKinds),
    token: tokenOf(uuidFrom(random)),
    sessionId: uuidFrom(random),
    idempotencyKey: uuidFrom(random),
  };
}

function uuidFrom(random: Random): string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.integer(16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

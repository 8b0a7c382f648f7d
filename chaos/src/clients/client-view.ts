import type { AnswerMode } from '@quire/shared/contracts';

export const questionKinds = ['json', 'stream', 'cut', 'async', 'cancel', 'slow', 'leave'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** How a run ended, as far as it can differ. */
export type Ending =
  | { type: 'completed'; mode: AnswerMode; answer: string | null }
  | { type: 'failed'; code: string }
  | { type: 'cancelled' };

export interface SeenEvent {
  /** Undefined for an event outside the log, which does not move the client's position. */
  id: number | undefined;
  type: string;
  /** Epoch milliseconds. */
  at: number;
  /** Of a `delta`. */
  text?: string | undefined;
  /** Of a `reset`. */
  reason?: string | undefined;
  /** Of a terminal event. */
  ending?: Ending | undefined;
}

/** All that one client has seen of one question, over all its connections. */
export interface ClientView {
  kind: QuestionKind;
  token: string;
  sessionId: string;
  askedAt: number;
  endedAt: number | undefined;
  /** Every different run that the client was given for its one idempotency key. */
  runIds: string[];
  /** In the order of arrival. */
  events: SeenEvent[];
  /** The outcomes that it received other than as events: a JSON response, `GET`, `DELETE`. */
  toldEndings: Ending[];
  /** Tries that were refused, by error code. */
  refusals: Record<string, number>;
  /** Connections opened to go on with a stream. */
  resumes: number;
  /** A connection broke that the client had not cut itself. */
  wasCutOff: boolean;
  /** The client disconnected for ever before its answer had ended, and asked for its run to be cancelled then. */
  hasLeft: boolean;
  cancelAsked: boolean;
  /** The state that `DELETE` answered. */
  cancelSaid: string | undefined;
  /** Set when the limit has passed: what the client was waiting for. */
  hungAt: string | undefined;
  /** Answers that the client has no use for. */
  surprises: string[];
}

export function newView(kind: QuestionKind, token: string, sessionId: string, askedAt: number): ClientView {
  return {
    kind,
    token,
    sessionId,
    askedAt,
    endedAt: undefined,
    runIds: [],
    events: [],
    toldEndings: [],
    refusals: {},
    resumes: 0,
    wasCutOff: false,
    hasLeft: false,
    cancelAsked: false,
    cancelSaid: undefined,
    hungAt: undefined,
    surprises: [],
  };
}

export function endingsOf({ events, toldEndings }: ClientView): Ending[] {
  return [...events.flatMap(({ ending }) => ending ?? []), ...toldEndings];
}

/** The text of a client that starts again at each reset. */
export function textOf(events: readonly SeenEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'reset') text = '';
    text += event.text ?? '';
  }
  return text;
}

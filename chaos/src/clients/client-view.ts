import type { AnswerMode } from '@quire/shared/contracts';

export const questionKinds = ['json', 'stream', 'cut', 'async', 'cancel', 'slow', 'leave'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** The parts of a run's outcome that the verdict compares. */
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
  /** The text of a `delta`. */
  text?: string | undefined;
  /** The reason of a `reset`. */
  reason?: string | undefined;
  /** The outcome in a terminal event. */
  ending?: Ending | undefined;
}

/** All that one client has seen of one question, over all its connections. */
export interface ClientView {
  kind: QuestionKind;
  token: string;
  sessionId: string;
  askedAt: number;
  endedAt: number | undefined;
  /** The ids of all runs that responses and events named; there should be one. */
  runIds: string[];
  /** In the order of arrival. */
  events: SeenEvent[];
  /** Outcomes in JSON responses; those in events are not repeated here. */
  responseEndings: Ending[];
  /** The number of refusals, by error code. */
  refusals: Record<string, number>;
  /** How often the client tried to resume its stream. */
  resumes: number;
  /** A connection failed or broke without being cut by the client. */
  wasCut: boolean;
  /** The client has disconnected for ever before the end, from a run with `on_disconnect: cancel`. */
  hasLeft: boolean;
  cancelAsked: boolean;
  /** The state in the response to `DELETE`. */
  cancelState: string | undefined;
  /** Set when the limit has passed: what the client was waiting for. */
  hungAt: string | undefined;
  /** Responses and events that no client should get. */
  unexpected: string[];
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
    responseEndings: [],
    refusals: {},
    resumes: 0,
    wasCut: false,
    hasLeft: false,
    cancelAsked: false,
    cancelState: undefined,
    hungAt: undefined,
    unexpected: [],
  };
}

export function endingsOf({ events, responseEndings }: ClientView): Ending[] {
  return [...events.flatMap(({ ending }) => ending ?? []), ...responseEndings];
}

/** The streamed text since the last `reset`. */
export function textOf(events: readonly SeenEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'reset') text = '';
    text += event.text ?? '';
  }
  return text;
}

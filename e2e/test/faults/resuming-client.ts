import { setTimeout as sleep } from 'node:timers/promises';
import { threadListSchema } from '@quire/shared/contracts';
import { readEvents, textOf } from '@quire/testkit';
import { expect } from 'vitest';

type Event = Awaited<ReturnType<typeof readEvents>> extends AsyncGenerator<infer E> ? E : never;

export interface FinishedStream {
  requestId: string;
  /** All events, over all connections. */
  events: Event[];
  /** How often the stream was resumed. */
  resumed: number;
  /** The statuses of gateways that refused to resume it. */
  refusals: number[];
  end: Event;
}

export interface FollowedStream {
  requestId: string;
  readonly events: readonly Event[];
  /** Resolves at the terminal event. */
  finished: Promise<FinishedStream>;
}

const TERMINAL = new Set(['completed', 'failed', 'cancelled']);
const RETRY_MS = 50;

/**
 * Follows a stream to its end as a careful client does: whenever the connection ends, it resumes after the last event
 * on the next gateway.
 */
export async function followStream(
  gateways: () => readonly string[],
  body: object,
  headers: Record<string, string> = {},
): Promise<FollowedStream> {
  const response = await fetch(`${gateways()[0]}/chat/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return follow(gateways, response);
}

function follow(gateways: () => readonly string[], first: Response): FollowedStream {
  const requestId = first.headers.get('x-request-id') ?? '';
  const events: Event[] = [];
  const refusals: number[] = [];
  const finished = (async () => {
    let response: Response | undefined = first;
    for (let tries = 1; ; tries += 1) {
      if (response?.status === 200) {
        const end = await readToEnd(response, events);
        if (end) return { requestId, events, resumed: tries - 1, refusals, end };
      } else if (response) {
        refusals.push(response.status);
      }
      await sleep(RETRY_MS);
      const known = gateways();
      const position = events.findLast(({ id }) => id !== undefined)?.id;
      response = await fetch(`${known[tries % known.length]}/chat/${requestId}/stream`, {
        headers: position === undefined ? {} : { 'last-event-id': position },
      }).catch(() => undefined);
    }
  })();
  return { requestId, events, finished };
}

async function readToEnd(response: Response, events: Event[]): Promise<Event | undefined> {
  try {
    for await (const event of readEvents(response)) {
      events.push(event);
      if (TERMINAL.has(event.event ?? '')) return event;
    }
  } catch {
    // The connection was cut: the events that arrived count.
  }
  return undefined;
}

/** Expects one whole answer: ids only grow, and the text since the last reset is the stored answer. */
export function expectOneAnswer({ events, end }: FinishedStream, text: string): void {
  expect(end).toMatchObject({ event: 'completed' });
  expect((JSON.parse(end.data) as { answer: string }).answer).toBe(text);
  expect(textOf(events)).toBe(text);
  const ids = events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  for (const [i, id] of ids.entries()) if (i > 0) expect(id).toBeGreaterThan(ids[i - 1] ?? 0);
  expect(events.filter(({ event }) => TERMINAL.has(event ?? ''))).toHaveLength(1);
}

/** How many messages a thread holds: two for each answered question. */
export async function messagesIn(gateway: string | undefined, sessionId: string): Promise<number> {
  const response = await fetch(`${gateway}/threads?limit=100`);
  const { threads } = threadListSchema.parse(await response.json());
  return threads.find(({ session_id }) => session_id === sessionId)?.message_count ?? 0;
}

import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** A stream's events as they arrive; leaving the loop cuts the connection. */
export async function* readEvents(response: Response): AsyncGenerator<EventSourceMessage, void, void> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
    yield* arrived.splice(0);
  }
}

/** A stream's events; after `count` of them the connection is cut. */
export async function collectEvents(
  response: Response,
  count = Number.POSITIVE_INFINITY,
): Promise<EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  for await (const event of readEvents(response)) {
    events.push(event);
    if (events.length >= count) break;
  }
  return events;
}

/** The text of a client that starts again at each reset. */
export function textOf(events: readonly EventSourceMessage[]): string {
  let text = '';
  for (const { event, data } of events) {
    if (event === 'reset') text = '';
    if (event === 'delta') text += (JSON.parse(data) as { text: string }).text;
  }
  return text;
}

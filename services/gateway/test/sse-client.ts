import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Reads a stream's events with the parser that browsers' and common clients' behaviour is modelled on. */
export async function* readEvents(response: Response): AsyncGenerator<EventSourceMessage> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => ready.push(event) });
  const decoder = new TextDecoder();
  if (!response.body) return;
  for await (const bytes of response.body) {
    parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
    yield* ready.splice(0);
  }
}

/** The first `count` events, after which the connection is cut; all of them without a count. */
export async function collectEvents(response: Response, count = Number.POSITIVE_INFINITY): Promise<EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  for await (const event of readEvents(response)) {
    events.push(event);
    if (events.length >= count) break;
  }
  return events;
}

export const textOf = (events: readonly EventSourceMessage[]): string =>
  events
    .filter((event) => event.event === 'delta')
    .map((event) => (JSON.parse(event.data) as { text: string }).text)
    .join('');

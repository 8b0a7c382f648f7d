import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** A stream's events; after `count` of them the connection is cut. */
export async function collectEvents(
  response: Response,
  count = Number.POSITIVE_INFINITY,
): Promise<EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
    if (events.length >= count) break;
  }
  return events.slice(0, count);
}

/** The text as a client holds it that starts anew at each reset. */
export function textOf(events: readonly EventSourceMessage[]): string {
  let text = '';
  for (const { event, data } of events) {
    if (event === 'reset') text = '';
    if (event === 'delta') text += (JSON.parse(data) as { text: string }).text;
  }
  return text;
}

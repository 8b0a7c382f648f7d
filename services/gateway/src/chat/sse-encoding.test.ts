import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect, it } from 'vitest';
import { encodeEvent, encodeUnnumbered, heartbeat, reconnectHint } from './sse-encoding.js';

it('a standard parser reads back every encoded event, with line breaks and comments', () => {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const text = 'a\nb\r\nc\u2028d "quoted" \\ 😀';
  parser.feed(
    reconnectHint +
      encodeEvent({ seq: 3, type: 'delta', data: JSON.stringify({ text }) }) +
      heartbeat +
      encodeUnnumbered('reset', { attempt: 2 }),
  );
  expect(events).toEqual([
    { id: '3', event: 'delta', data: JSON.stringify({ text }) },
    { id: undefined, event: 'reset', data: '{"attempt":2}' },
  ]);
});

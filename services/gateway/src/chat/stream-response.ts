import { chatResponseSchema, runEventSchema, type RunEventType } from '@quire/shared/contracts';
import { z } from 'zod';
import type { ResponseDescription } from '../http/route.js';
import { schemaReference } from '../openapi/openapi-objects.js';
import {
  cancelledStreamExample,
  failedStreamExample,
  streamedEventExamples,
  streamExample,
} from './chat.examples.js';

const dataOf = Object.fromEntries(
  runEventSchema.options.map(({ shape: { type, data } }) => [type.value, data as z.ZodType]),
);

/** The data of each event by its name in the document; `completed` carries the whole response. */
export const eventSchemas: Record<string, z.ZodType> = {
  ...Object.fromEntries(
    Object.entries(dataOf).flatMap(([type, data]) =>
      data === chatResponseSchema ? [] : [[schemaNameOf(type as RunEventType), data]],
    ),
  ),
  RunEventData: z.union(Object.values(dataOf)),
};

const events = Object.fromEntries(
  Object.keys(dataOf).map((type) => [type, schemaReference(schemaNameOf(type as RunEventType))]),
);

export const allEventsSent: ResponseDescription = { description: 'The client has all events of the run.' };

/** A run as server-sent events. The schema is that of one event's data, as client generators expect it. */
export const streamResponse: ResponseDescription = {
  description: `The run's events as they happen; comments between them keep the connection alive. Clients ignore
unknown events, and discard what they have shown at a \`reset\`. The last event is \`completed\`, \`failed\` or \`cancelled\`.

Each event has an \`id\` (its sequence number: 1, 2, 3 …), an \`event\` name and one line of JSON \`data\`:

| event | data |
|---|---|
${Object.entries(events)
  .map(([event, { $ref }]) => `| \`${event}\` | \`${$ref.split('/').at(-1)}\` |`)
  .join('\n')}`,
  content: {
    'text/event-stream': {
      schema: schemaReference('RunEventData'),
      'x-events': events,
      examples: streamedEventExamples,
      'x-streams': {
        answered: { summary: 'An answer', value: streamExample },
        failed: { summary: 'A run that fails after a worker was lost', value: failedStreamExample },
        cancelled: { summary: 'A run that was cancelled', value: cancelledStreamExample },
      },
    },
  },
};

function schemaNameOf(event: RunEventType): string {
  return event === 'completed' ? 'ChatResponse' : `${event[0]?.toUpperCase()}${event.slice(1)}Event`;
}

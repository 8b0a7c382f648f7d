import { chatResponseSchema, runEventSchema, type RunEventType } from '@quire/shared/contracts';
import type { z } from 'zod';
import { schemaOf, type Answer } from '../openapi/api-description.js';
import { cancelledStreamExample, failedStreamExample, streamExample } from './chat.examples.js';

/** The data of each event by its name in the document; `completed` carries the whole response. */
export const eventSchemas: Record<string, z.ZodType> = Object.fromEntries(
  runEventSchema.options.flatMap(({ shape: { type, data } }) =>
    data === chatResponseSchema ? [] : [[schemaNameOf(type.value), data]],
  ),
);

const events = Object.fromEntries(
  runEventSchema.options.map(({ shape: { type } }) => [type.value, schemaOf(schemaNameOf(type.value))]),
);

/** A run as server-sent events. */
export const streamAnswer: Answer = {
  description: `The run's events as they happen; comments in between keep the connection alive. Clients ignore
events that they do not know, and drop what they have shown at a \`reset\`. The last one is \`completed\`, \`failed\` or \`cancelled\`.`,
  content: {
    'text/event-stream': {
      schema: {
        type: 'string',
        description: `Each event has an \`id\` (its sequence number: 1, 2, 3 …), an \`event\` name and one line of JSON \`data\`:

| event | data |
|---|---|
${Object.entries(events)
  .map(([event, { $ref }]) => `| \`${event}\` | \`${$ref.split('/').at(-1)}\` |`)
  .join('\n')}`,
      },
      'x-events': events,
      examples: {
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

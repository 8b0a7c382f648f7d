import type { RunEventType } from '../contracts/run-event.contract.js';

/** One event as stored: `data` stays the JSON text that clients get. */
export interface RunLogEntry {
  seq: number;
  type: RunEventType;
  data: string;
}

/** Reads an entry of the stream. */
export function parseStored([id, fields]: [id: string, fields: string[]]): RunLogEntry {
  return {
    seq: Number.parseInt(id, 10),
    type: fieldOf(fields, 'type') as RunEventType,
    data: fieldOf(fields, 'data'),
  };
}

/** Reads a message of the channel, as `append.lua` and `bury.lua` publish it. */
export function parsePublished(message: string): RunLogEntry {
  const first = message.indexOf(' ');
  const second = message.indexOf(' ', first + 1);
  return {
    seq: Number.parseInt(message.slice(0, first), 10),
    type: message.slice(first + 1, second) as RunEventType,
    data: message.slice(second + 1),
  };
}

function fieldOf(fields: readonly string[], name: string): string {
  for (let i = 0; i < fields.length; i += 2) if (fields[i] === name) return fields[i + 1] ?? '';
  return '';
}

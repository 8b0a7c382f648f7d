import type { RunLogEntry } from '@quire/shared/run-log';

export const sseHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  // nginx and others buffer responses unless told not to.
  'X-Accel-Buffering': 'no',
} as const;

/** JSON text holds no raw line breaks, so one `data:` line is always enough. */
export function encodeEvent({ seq, type, data }: RunLogEntry): string {
  return `id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`;
}

/** An event outside the log: without an id it does not move the client's position. */
export function encodeUnnumbered(type: string, data: unknown): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

// Lines without an empty line after them: some parsers (`@microsoft/fetch-event-source`) emit a message for each empty
// line. Clients act on these lines as they arrive, and treat them as part of the event that follows.

export const heartbeat = ': heartbeat\n';

/** Tells clients how soon to reconnect after a cut. */
export const reconnectHint = 'retry: 1000\n';

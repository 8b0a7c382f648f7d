import { once } from 'node:events';
import type { RunLogEntry } from '@quire/shared/run-log';
import type { Response } from 'express';
import { SEND_TIMEOUT_MS } from '../http/send-timeout.js';
import { heartbeats } from './heartbeats.js';
import { encodeEvent, reconnectHint, sseHeaders } from './sse-encoding.js';

export interface SseOptions {
  signal: AbortSignal;
  /** What comes before the first entry. */
  preamble?: string;
  /** How long a client may fetch nothing of what waits for it. */
  sendTimeoutMs?: number;
}

/** Streams entries as SSE. A client that reads slowly slows the loop down; what it misses stays in the log. */
export async function respondSse(
  res: Response,
  entries: AsyncIterable<RunLogEntry> | Iterable<RunLogEntry>,
  { signal, preamble = '', sendTimeoutMs = SEND_TIMEOUT_MS }: SseOptions,
): Promise<void> {
  res.writeHead(200, sseHeaders);
  // Written alone the head becomes one flat string; else Node keeps it in 60 pieces (2 KB) for as long as the stream lasts.
  res.flushHeaders();
  res.write(reconnectHint + preamble);
  heartbeats.add(res);
  try {
    for await (const entry of entries) {
      if (!res.write(encodeEvent(entry))) await drained(res, signal, sendTimeoutMs);
    }
  } finally {
    heartbeats.remove(res);
    // A response that is ended after its client has gone counts as finished, as if the client had got it all.
    if (!res.destroyed) res.end();
  }
}

async function drained(res: Response, signal: AbortSignal, sendTimeoutMs: number): Promise<void> {
  // Fires only while nothing moves: a client that is cut off comes back to the beginning of the event it was reading.
  res.socket?.setTimeout(sendTimeoutMs);
  // An abort ends the wait; the entries' own signal then ends the loop.
  await once(res, 'drain', { signal }).catch(() => {});
  res.socket?.setTimeout(0);
}

import { once } from 'node:events';
import type { RunLogEntry } from '@quire/shared/run-log';
import type { Response } from 'express';
import { SEND_TIMEOUT_MS } from '../http/send-timeout.js';
import { heartbeats } from './heartbeats.js';
import { encodeEvent, reconnectHint, sseHeaders } from './sse-encoding.js';

export interface SseOptions {
  signal: AbortSignal;
  /** Sent before the first entry. */
  preamble?: string;
  /** How long a client may read nothing of what was written. */
  sendTimeoutMs?: number;
}

/** Streams entries as SSE. A slow client slows down the loop, not the run: later entries stay in the log. */
export async function respondSse(
  res: Response,
  entries: AsyncIterable<RunLogEntry> | Iterable<RunLogEntry>,
  { signal, preamble = '', sendTimeoutMs = SEND_TIMEOUT_MS }: SseOptions,
): Promise<void> {
  res.writeHead(200, sseHeaders);
  // Flushed alone, the head becomes one flat string; otherwise Node keeps 60 pieces of it (2 KB) while the stream lasts.
  res.flushHeaders();
  res.write(reconnectHint + preamble);
  heartbeats.add(res);
  try {
    for await (const entry of entries) {
      if (!res.write(encodeEvent(entry))) await drained(res, signal, sendTimeoutMs);
    }
  } finally {
    heartbeats.remove(res);
    // end() after the client has left would count as finished, as if the client had received everything.
    if (!res.destroyed) res.end();
  }
}

async function drained(res: Response, signal: AbortSignal, sendTimeoutMs: number): Promise<void> {
  // Fires only while no byte moves. A client that is cut off resumes at the beginning of the event it was reading.
  res.socket?.setTimeout(sendTimeoutMs);
  // An abort ends the wait; the entries' own signal then ends the loop.
  await once(res, 'drain', { signal }).catch(() => {});
  res.socket?.setTimeout(0);
}

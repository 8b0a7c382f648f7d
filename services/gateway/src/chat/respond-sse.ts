import { once } from 'node:events';
import type { RunLogEntry } from '@quire/shared/run-log';
import type { Response } from 'express';
import { STUCK_READER_MS } from '../http/stuck-readers.js';
import { heartbeats } from './heartbeats.js';
import { encodeEvent, reconnectHint, sseHeaders } from './sse-encoding.js';

export interface SseOptions {
  signal: AbortSignal;
  /** Sent before the first entry. */
  preamble?: string;
  /** After how long a client that reads nothing of what was written is cut off. */
  stuckReaderMs?: number;
}

/** Streams entries as SSE. A slow client slows down the loop, not the run: later entries stay in the log. */
export async function respondSse(
  res: Response,
  entries: AsyncIterable<RunLogEntry> | Iterable<RunLogEntry>,
  { signal, preamble = '', stuckReaderMs = STUCK_READER_MS }: SseOptions,
): Promise<void> {
  res.writeHead(200, sseHeaders);
  // Flushed alone, the head becomes one flat string; otherwise Node keeps 60 pieces of it (2 KB) while the stream lasts.
  res.flushHeaders();
  res.write(reconnectHint + preamble);
  heartbeats.add(res);
  try {
    for await (const entry of entries) {
      if (!res.write(encodeEvent(entry))) await drained(res, signal, stuckReaderMs);
    }
  } finally {
    heartbeats.remove(res);
    // end() after the client has left would count as finished, as if the client had received everything.
    if (!res.destroyed) res.end();
  }
}

async function drained(res: Response, signal: AbortSignal, stuckReaderMs: number): Promise<void> {
  // Fires only while no byte moves. A client that is cut off resumes at the beginning of the event it was reading.
  res.socket?.setTimeout(stuckReaderMs);
  // An abort ends the wait; the entries' own signal then ends the loop.
  await once(res, 'drain', { signal }).catch(() => {});
  res.socket?.setTimeout(0);
}

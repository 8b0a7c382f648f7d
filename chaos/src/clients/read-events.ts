import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asking } from './asking.js';
import type { SeenEvent } from './client-view.js';
import { endingOfEvent } from './read-ending.js';

/** A stream closes right after its terminal event; the rest is for a busy machine. */
const CLOSE_LIMIT_MS = 10_000;

export interface Reading {
  /** Called with the number of events of this connection so far. */
  onEvent?: ((count: number) => void) | undefined;
  /** The pause between two reads, for a slow client. */
  pauseMs?: number | undefined;
  /** Aborted when the client itself hangs up. */
  hungUp?: AbortSignal | undefined;
}

/** Adds the events of one connection to the client's view until it ends, breaks or is cut. */
export async function readEvents(asking: Asking, response: Response, reading: Reading = {}): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const { view } = asking;
  const decoder = new TextDecoder();
  let count = 0;
  const parser = createParser({
    onEvent(message) {
      const event = seen(asking, message);
      if (event) view.events.push(event);
      count += 1;
      reading.onEvent?.(count);
    },
  });
  asking.waitingFor = 'the next event of a stream';
  const hangUp = () => void reader.cancel().catch(() => {});
  // An abort that meets the end of the body leaves a read pending in Node 20; a cancel ends it.
  reading.hungUp?.addEventListener('abort', hangUp);
  let staysOpen: NodeJS.Timeout | undefined;
  const leave = () => {
    view.hungAt = 'the stream to close after its terminal event';
    hangUp();
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (view.events.at(-1)?.ending) staysOpen ??= setTimeout(leave, CLOSE_LIMIT_MS);
      if (reading.pauseMs !== undefined) await sleep(reading.pauseMs);
    }
  } catch {
    asking.limit.throwIfAborted();
    view.wasCut ||= !reading.hungUp?.aborted;
  } finally {
    clearTimeout(staysOpen);
  }
}

function seen(
  asking: Asking,
  { id, event: type = 'message', data }: EventSourceMessage,
): SeenEvent | undefined {
  const content = parsed(data);
  if (!content) {
    asking.view.unexpected.push(`a ${type} event that is not JSON`);
    return undefined;
  }
  if (content.request_id !== undefined) asking.addRunId(content.request_id);
  return {
    id: id === undefined ? undefined : Number(id),
    type,
    at: Date.now(),
    text: type === 'delta' ? content.text : undefined,
    reason: type === 'reset' ? content.reason : undefined,
    ending: endingOfEvent(type, content),
  };
}

function parsed(data: string): { request_id?: string; text?: string; reason?: string } | undefined {
  try {
    return JSON.parse(data) as { request_id?: string };
  } catch {
    return undefined;
  }
}

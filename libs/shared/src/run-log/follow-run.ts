import { isTerminalType } from '../contracts/run-event.contract.js';
import { timeBudgets } from '../time/index.js';
import { LiveBuffer } from './live-buffer.js';
import { replay } from './replay.js';
import type { RunLog } from './run-log.js';
import type { RunLogEntry } from './run-log-entry.js';
import type { RunLogHub } from './run-log-hub.js';
import { opensLostLog } from './sequence.js';

export interface FollowOptions {
  /** The last sequence the client has; 0 for all. */
  after: number;
  signal: AbortSignal;
  /** Bytes of published entries kept for a slow reader, which then reads the log instead. */
  maxBufferedBytes?: number;
  /** An idle follower reads the log this often, in case a published event was lost. */
  idleRereadMs?: number;
}

const DEFAULT_BUFFERED_BYTES = 40 * 1024;
/** While Redis is down a follower tries to read the log this often. */
const UNREADABLE_RETRY_MS = 500;
/** The first read of the log waits so long for the subscription to be confirmed. */
const SUBSCRIPTION_LIMIT_MS = 1000;

/**
 * A run's events after a sequence, in order, without gap or repetition, until its terminal event. It is lossless because
 * of the order of its steps: subscribe and buffer, read the log, drain the buffer, drop by sequence. Yields `'idle'`
 * after each read of the log that found nothing, so that the caller can decide how long to wait.
 */
export async function* followRun(
  log: RunLog,
  hub: RunLogHub,
  runId: string,
  options: FollowOptions,
): AsyncGenerator<RunLogEntry | 'idle', void, void> {
  const { after, signal, idleRereadMs = timeBudgets.run.rereadMs } = options;
  const live = new LiveBuffer(options.maxBufferedBytes ?? DEFAULT_BUFFERED_BYTES);
  const wake = () => live.wake();
  signal.addEventListener('abort', wake);
  const stopListening = hub.listen(runId, live);
  const delivery = new Delivery(after);
  let idleDueAt = 0;
  let unreadableSince: number | undefined;
  try {
    if (!signal.aborted) await live.changed(Math.min(SUBSCRIPTION_LIMIT_MS, idleRereadMs));
    while (!signal.aborted) {
      if (live.mustReadLog) {
        live.clear();
        const before = delivery.last;
        let isReadable = true;
        for await (const entry of replay(log, runId, before)) {
          if (signal.aborted) return;
          if (entry === 'unreadable') {
            isReadable = false;
            break;
          }
          if (delivery.admits(entry)) yield entry;
          if (isTerminalType(entry.type)) return;
        }
        unreadableSince = isReadable ? undefined : (unreadableSince ?? Date.now());
        // A client with a part of the events gets the others, not the outcome alone, if Redis is back soon.
        const isWorthWaiting =
          unreadableSince !== undefined &&
          delivery.last > after &&
          Date.now() - unreadableSince < idleRereadMs;
        // In an outage every follower comes here: an `'idle'` at each try would overload Postgres.
        if (delivery.last === before && Date.now() >= idleDueAt && !isWorthWaiting) {
          idleDueAt = Date.now() + idleRereadMs;
          yield 'idle';
        }
        if (!isReadable) {
          await live.changed(UNREADABLE_RETRY_MS);
          live.mustReadLog = true;
        }
        continue;
      }
      const entry = live.shift();
      if (!entry) {
        await live.changed(idleRereadMs);
        continue;
      }
      if (entry.seq <= delivery.last) continue;
      if (entry.seq > delivery.last + 1) {
        live.mustReadLog = true;
        continue;
      }
      if (delivery.admits(entry)) yield entry;
      if (isTerminalType(entry.type)) return;
    }
  } finally {
    signal.removeEventListener('abort', wake);
    stopListening();
  }
}

/** Withholds deltas after a gap: they would make an answer with a hole, and the outcome has the whole text. */
class Delivery {
  private hasTextGap = false;

  /** @param last the last sequence the client has */
  constructor(public last: number) {}

  admits({ seq, type }: RunLogEntry): boolean {
    // No answer text comes before these.
    const startsText = type === 'queued' || type === 'reset' || opensLostLog(seq);
    this.hasTextGap = !startsText && (this.hasTextGap || seq > this.last + 1);
    this.last = seq;
    return !(this.hasTextGap && type === 'delta');
  }
}

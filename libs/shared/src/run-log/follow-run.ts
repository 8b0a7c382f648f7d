import { isTerminalType } from '../contracts/run-event.contract.js';
import { timeBudgets } from '../time/index.js';
import type { RunLog } from './run-log.js';
import type { RunLogEntry } from './run-log-entry.js';
import type { LiveListener, RunLogHub } from './run-log-hub.js';
import { opensLostLog } from './sequence.js';

export interface FollowOptions {
  /** The last sequence the client has; 0 for all. */
  after: number;
  signal: AbortSignal;
  /** Bytes of live entries kept for a slow reader before it is sent back to the log. */
  maxBufferedBytes?: number;
  /** An idle follower looks into the log this often, in case a published event was lost. */
  idleRereadMs?: number;
}

const FIRST_REPLAY_BATCH = 8;
const LARGEST_REPLAY_BATCH = 256;
/** What is read at once is held for a reader that stops in the middle as well: 64 KB in all. */
const REPLAY_BYTES = 24 * 1024;
const DEFAULT_BUFFERED_BYTES = 40 * 1024;
const DEFAULT_IDLE_REREAD_MS = timeBudgets.run.rereadMs;
/** While Redis is away the log is tried this often. */
const UNREADABLE_RETRY_MS = 500;
/** How long the first look waits for the subscription. */
const SUBSCRIPTION_PATIENCE_MS = 1000;

/**
 * A run's events after a sequence, in order, without gap or repetition, until its terminal event. The order of
 * work is what makes it lossless: subscribe and buffer, read the log, drain the buffer, drop by sequence.
 * Yields `'idle'` after each fruitless look into the log, so that the caller can decide how long to wait.
 */
export async function* followRun(
  log: RunLog,
  hub: RunLogHub,
  runId: string,
  options: FollowOptions,
): AsyncGenerator<RunLogEntry | 'idle', void, void> {
  const { signal, idleRereadMs = DEFAULT_IDLE_REREAD_MS } = options;
  const live = new LiveBuffer(options.maxBufferedBytes ?? DEFAULT_BUFFERED_BYTES);
  const wake = () => live.wake();
  signal.addEventListener('abort', wake);
  const stopListening = hub.listen(runId, live);
  let seen = options.after;
  let textIncomplete = false;
  /** After a gap (log trimmed or lost) later deltas would read as a mutilated answer: the outcome tells it whole. */
  const admits = (entry: RunLogEntry): boolean => {
    if (entry.seq > seen + 1) textIncomplete = true;
    // Before a run begins there is no text that could be lost.
    const isWithoutPast = entry.type === 'queued' || opensLostLog(entry.seq);
    if (entry.type === 'reset' || isWithoutPast) textIncomplete = false;
    seen = entry.seq;
    return !(textIncomplete && entry.type === 'delta');
  };
  let idleDueAt = 0;
  let unreadableSince: number | undefined;
  try {
    if (!signal.aborted) await live.changed(Math.min(SUBSCRIPTION_PATIENCE_MS, idleRereadMs));
    while (!signal.aborted) {
      if (live.mustReread) {
        live.clear();
        const before = seen;
        let readable = true;
        for await (const entry of replay(log, runId, seen)) {
          if (signal.aborted) return;
          if (entry === 'unreadable') {
            readable = false;
            break;
          }
          if (admits(entry)) yield entry;
          if (isTerminalType(entry.type)) return;
        }
        // Whoever has the beginning of a story is told the rest of it rather than its end, if Redis is back soon.
        unreadableSince = readable ? undefined : (unreadableSince ?? Date.now());
        const isWorthWaiting =
          unreadableSince !== undefined &&
          seen > options.after &&
          Date.now() - unreadableSince < idleRereadMs;
        // During an outage every follower is here: asked at each try, their callers would overrun Postgres.
        if (seen === before && Date.now() >= idleDueAt && !isWorthWaiting) {
          idleDueAt = Date.now() + idleRereadMs;
          yield 'idle';
        }
        if (!readable) {
          await live.changed(UNREADABLE_RETRY_MS);
          live.mustReread = true;
        }
        continue;
      }
      const entry = live.shift();
      if (!entry) {
        await live.changed(idleRereadMs);
        continue;
      }
      if (entry.seq <= seen) continue;
      if (entry.seq > seen + 1) {
        live.mustReread = true;
        continue;
      }
      if (admits(entry)) yield entry;
      if (isTerminalType(entry.type)) return;
    }
  } finally {
    signal.removeEventListener('abort', wake);
    stopListening();
  }
}

async function* replay(
  log: RunLog,
  runId: string,
  after: number,
): AsyncGenerator<RunLogEntry | 'unreadable'> {
  let position = after;
  let count = FIRST_REPLAY_BATCH;
  for (;;) {
    // While Redis is away the follower keeps its place; the log is still there, or Postgres has the outcome.
    const read = await log.read(runId, position, count).catch(() => undefined);
    if (!read) return yield 'unreadable';
    const isLast = read.length < count;
    const held = withinLength(read);
    const wasCut = held.length < read.length;
    yield* held;
    position = held.at(-1)?.seq ?? position;
    if (isLast && !wasCut) return;
    count = wasCut ? Math.max(1, held.length) : Math.min(2 * count, LARGEST_REPLAY_BATCH);
  }
}

/** The first entries, as many as may be held; at least one. The others are read again when it is their turn. */
function withinLength(entries: readonly RunLogEntry[]): RunLogEntry[] {
  let bytes = 0;
  return entries.filter(({ data }, i) => {
    bytes += Buffer.byteLength(data);
    return i === 0 || bytes <= REPLAY_BYTES;
  });
}

/** Live entries waiting for the reader; when they grow too many they are dropped in favour of the log. */
class LiveBuffer implements LiveListener {
  mustReread = false;
  private entries: RunLogEntry[] = [];
  private bytes = 0;
  private notify: (() => void) | undefined;

  constructor(private readonly maxBytes: number) {}

  onEntry(entry: RunLogEntry): void {
    this.bytes += Buffer.byteLength(entry.data);
    if (this.bytes > this.maxBytes) {
      this.clear();
      this.mustReread = true;
    } else {
      this.entries.push(entry);
    }
    this.wake();
  }

  onListening(): void {
    this.mustReread = true;
    this.wake();
  }

  shift(): RunLogEntry | undefined {
    const entry = this.entries.shift();
    if (entry) this.bytes -= Buffer.byteLength(entry.data);
    return entry;
  }

  clear(): void {
    this.entries = [];
    this.bytes = 0;
    this.mustReread = false;
  }

  wake(): void {
    this.notify?.();
  }

  /** Resolves at the next entry or other news; after `ms` of silence the log is due for a look. */
  async changed(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.mustReread = true;
        resolve();
      }, ms);
      this.notify = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.notify = undefined;
  }
}

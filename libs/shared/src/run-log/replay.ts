import type { RunLog } from './run-log.js';
import type { RunLogEntry } from './run-log-entry.js';

const FIRST_BATCH = 8;
const LARGEST_BATCH = 256;
/** A reader that stops in the middle holds a batch; with its live entries that is 64 KB at most. */
const BATCH_BYTES = 24 * 1024;

/** The entries of a log after a sequence, read in batches; ends with `'unreadable'` if Redis is down. */
export async function* replay(
  log: RunLog,
  runId: string,
  after: number,
): AsyncGenerator<RunLogEntry | 'unreadable'> {
  let last = after;
  let count = FIRST_BATCH;
  for (;;) {
    const read = await log.read(runId, last, count).catch(() => undefined);
    if (!read) return yield 'unreadable';
    const batch = withinBytes(read);
    yield* batch;
    last = batch.at(-1)?.seq ?? last;
    const wasCut = batch.length < read.length;
    if (read.length < count && !wasCut) return;
    count = wasCut ? Math.max(1, batch.length) : Math.min(2 * count, LARGEST_BATCH);
  }
}

/** The first entries that fit into a batch, at least one; the others are read again for the next batch. */
function withinBytes(entries: readonly RunLogEntry[]): RunLogEntry[] {
  let bytes = 0;
  return entries.filter(({ data }, i) => {
    bytes += Buffer.byteLength(data);
    return i === 0 || bytes <= BATCH_BYTES;
  });
}

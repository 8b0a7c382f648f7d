/**
 * The numbers of a run's events. A number never names two events, even if Redis loses a log or its last entries:
 * a client that resumes would skip or repeat text.
 *
 * - Each attempt has a range of its own, above the ranges of all earlier attempts. Attempt 0, which writes positions
 *   while the run waits, has the lower half of the first range, attempt 1 the upper half.
 * - While the log is whole, numbers are dense: an attempt continues behind the last entry, in whatever range that is.
 * - Where the log is lost, or was begun anew by a restarted Redis, an attempt starts above its `floor`.
 * - A writer that knows the last sequence (the `base` of an append) continues above it, whatever is left of the log.
 * - The terminal event of a lost log gets a number above the ranges of all attempts.
 */

/** More than an attempt ever writes: the log keeps 10,000 entries, and deltas are coalesced. */
const PER_ATTEMPT = 1_000_000;
const MOST_POSITIONS = PER_ATTEMPT / 2;

/** An attempt whose log is lost starts above this number. */
export function floorOf(attempt: number): number {
  if (attempt === 0) return 0;
  return attempt === 1 ? MOST_POSITIONS : endOf(attempt - 1);
}

/** The highest number that a run with so many attempts may have used; its terminal event goes above it. */
export function endOf(attempts: number): number {
  return Math.max(1, attempts) * PER_ATTEMPT;
}

/** Whether the event is the first of attempt 1 in a lost log: no answer text comes before it. */
export function opensLostLog(sequence: number): boolean {
  return sequence === floorOf(1) + 1;
}

/** At least the last position that clients of a run were shown: a waiting run writes less than one a millisecond. */
export function lastPositionAfter(waitedMs: number): number {
  return Math.min(Math.max(0, waitedMs), MOST_POSITIONS);
}

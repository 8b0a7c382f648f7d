/** Beyond it an estimate says little: workers are added, and callers leave. */
export const LONGEST_RETRY_SECONDS = 120;
/** So that callers refused at the same moment always get several values. */
const SHORTEST_SPREAD_MS = 2000;

/**
 * A `Retry-After` in whole seconds, chosen at random: callers that are refused together do not return together.
 * @param earliestMs before this the caller would be refused again
 * @param spreadMs the time after it over which callers refused at the same moment return
 */
export function retryAfterSeconds(earliestMs: number, spreadMs: number, random = Math.random): number {
  const longest = LONGEST_RETRY_SECONDS * 1000;
  const spread = Math.min(Math.max(spreadMs, SHORTEST_SPREAD_MS), longest / 2);
  const earliest = Math.min(earliestMs, longest - spread);
  return Math.max(1, Math.ceil((earliest + random() * spread) / 1000));
}

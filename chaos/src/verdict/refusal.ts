const refusals = new Set([
  'RATE_LIMITED',
  'TOO_MANY_CONCURRENT',
  'OVERLOADED',
  'QUEUE_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'SHUTTING_DOWN',
]);

/** A code that says: not taken, come again. Others say how a run has ended. */
export function isRefusal(code: string): boolean {
  return refusals.has(code);
}

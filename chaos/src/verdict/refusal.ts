const refusals = new Set([
  'RATE_LIMITED',
  'TOO_MANY_CONCURRENT',
  'OVERLOADED',
  'QUEUE_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'SHUTTING_DOWN',
]);

/** Whether a code refuses a question, which may be sent again; other codes are outcomes of runs. */
export function isRefusal(code: string): boolean {
  return refusals.has(code);
}

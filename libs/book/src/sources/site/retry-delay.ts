export const MAX_TRIES = 3;
const LONGEST_WAIT_MS = 60_000;

/** The delay of `Retry-After`, in seconds or as a date, up to a limit. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}

/** Doubles with each retry; half of it is random, so that failed requests are not retried all at once. */
export function backoffMs(firstMs: number, tried: number): number {
  const full = firstMs * 2 ** (tried - 1);
  return full / 2 + Math.random() * (full / 2);
}

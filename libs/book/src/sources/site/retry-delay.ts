export const MAX_TRIES = 3;
const LONGEST_WAIT_MS = 60_000;

/** What `Retry-After` asks for, in seconds or as a date, within reason. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}

/** Doubles with each try; half of it is chance, so that requests that failed together do not return together. */
export function backoffMs(firstMs: number, tried: number): number {
  const full = firstMs * 2 ** (tried - 1);
  return full / 2 + Math.random() * (full / 2);
}

import { untilAborted } from '@quire/shared/process';

/** Waits for work, but not much longer than the signal allows; the work itself is left to its fate. */
export async function soonAfterAbort<T>(signal: AbortSignal, limitMs: number, work: Promise<T>): Promise<T> {
  const late = new AbortController();
  const onAbort = () => setTimeout(() => late.abort(signal.reason), limitMs).unref();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await untilAborted(late.signal, work);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Waits for `work`, but at most `ms`. Returns what `work` resolves to, or `fallback` when the time is over; `work` itself
 * goes on, and a later rejection of it is ignored. The timer does not keep the process alive.
 */
export async function within<T, Fallback = undefined>(
  ms: number,
  work: Promise<T>,
  fallback?: Fallback,
): Promise<T | Fallback> {
  let timer: NodeJS.Timeout | undefined;
  const timeOver = new Promise<Fallback>((resolve) => {
    // After a busy stretch of the event loop timers run first: a result that has arrived by then still counts.
    timer = setTimeout(() => setImmediate(resolve, fallback as Fallback), ms).unref();
  });
  try {
    return await Promise.race([work, timeOver]);
  } finally {
    clearTimeout(timer);
  }
}

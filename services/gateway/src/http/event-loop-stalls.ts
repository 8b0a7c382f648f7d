import type { Server } from 'node:http';

const TICK_MS = 250;
const STALL_MS = 1000;

/**
 * Returns a function that tells whether the event loop stalls or has stalled within the last second, because the process
 * was stopped or busy. After a stall overdue timers fire before the sockets are read, so that clients seem to be late.
 */
export function watchForStalls(server: Server): () => boolean {
  let lastTick = performance.now();
  let stallEndedAt = Number.NEGATIVE_INFINITY;
  const isOverdue = () => performance.now() - lastTick > TICK_MS + STALL_MS;
  const timer = setInterval(() => {
    if (isOverdue()) stallEndedAt = performance.now();
    lastTick = performance.now();
  }, TICK_MS).unref();
  server.once('close', () => clearInterval(timer));
  return () => isOverdue() || performance.now() - stallEndedAt < STALL_MS;
}

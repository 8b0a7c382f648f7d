import type { Server } from 'node:http';

const BEAT_MS = 250;
const HELD_UP_MS = 1000;

/**
 * Tells whether this process has just stood still: was stopped and goes on, or had something in its way. Its overdue timers
 * fire before it reads what has come meanwhile, so that everybody seems to be late.
 */
export function watchForStandstill(server: Server): () => boolean {
  let lastBeat = performance.now();
  let goesOnSince = Number.NEGATIVE_INFINITY;
  const isOverdue = () => performance.now() - lastBeat > BEAT_MS + HELD_UP_MS;
  const timer = setInterval(() => {
    if (isOverdue()) goesOnSince = performance.now();
    lastBeat = performance.now();
  }, BEAT_MS).unref();
  server.once('close', () => clearInterval(timer));
  return () => isOverdue() || performance.now() - goesOnSince < HELD_UP_MS;
}

import { timeBudgets } from '@quire/shared/time';
import type { Response } from 'express';
import { heartbeat } from './sse-encoding.js';

const BEAT_SECONDS = timeBudgets.stream.heartbeatMs / 1000;

/**
 * Sends heartbeats to all streams of this process, with one timer: a timer for each stream would take 400 bytes of
 * memory. A client that has closed its side of the connection gets one every second: if it has closed both, the second
 * write fails.
 */
class Heartbeats {
  /** Seconds until the next heartbeat. */
  private readonly streams = new Map<Response, number>();
  private timer: NodeJS.Timeout | undefined;

  add(res: Response): void {
    this.streams.set(res, BEAT_SECONDS);
    this.timer ??= setInterval(() => this.tick(), 1000);
  }

  remove(res: Response): void {
    this.streams.delete(res);
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(): void {
    for (const [res, seconds] of this.streams) {
      const isDue = seconds <= 1 || res.socket?.readableEnded;
      if (isDue && !res.writableNeedDrain) res.write(heartbeat);
      this.streams.set(res, isDue ? BEAT_SECONDS : seconds - 1);
    }
  }
}

export const heartbeats = new Heartbeats();

import type { Redis } from 'ioredis';
import { timeBudgets } from '../time/index.js';

const { pulseEveryMs: BEAT_MS, pulseSilenceMs: SILENCE_MS } = timeBudgets.redis;

/**
 * Whether Redis replies, known before a command has to wait for it: a server or a network that hangs keeps its
 * connections open, and each command would wait for its own time limit.
 */
export class RedisPulse {
  private unansweredSince: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param redis with the role `request`, whose commands have a time limit */
  constructor(private readonly redis: Redis) {}

  start(): void {
    this.timer ??= setInterval(() => this.beat(), BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  get isResponding(): boolean {
    if (this.redis.status !== 'ready') return false;
    return this.unansweredSince === undefined || Date.now() - this.unansweredSince < SILENCE_MS;
  }

  private beat(): void {
    if (this.redis.status !== 'ready') {
      this.unansweredSince = undefined;
      return;
    }
    this.unansweredSince ??= Date.now();
    this.redis.ping().then(
      () => (this.unansweredSince = undefined),
      (error: Error) => {
        // An error is a reply: a Redis whose disk fails refuses pings too, and its commands report the cause.
        if (error.name === 'ReplyError') this.unansweredSince = undefined;
        // Otherwise there is still no reply; a lost connection shows in the status.
      },
    );
  }
}

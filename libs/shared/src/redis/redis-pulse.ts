import type { Redis } from 'ioredis';
import { timeBudgets } from '../time/index.js';

const { pulseEveryMs: BEAT_MS, pulseSilenceMs: SILENCE_MS } = timeBudgets.redis;

/**
 * Whether Redis answers, known before anyone has to wait for it: a server or a network that hangs keeps its
 * connections open, and each command would find out by its own time-out.
 */
export class RedisPulse {
  private unansweredSince: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @param redis of the role `request`, whose commands do not wait for ever */
  constructor(private readonly redis: Redis) {}

  start(): void {
    this.timer ??= setInterval(() => this.beat(), BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  get isFelt(): boolean {
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
        // A refusal is a response: one whose disk fails refuses pings too, and refuses commands with their cause.
        if (error.name === 'ReplyError') this.unansweredSince = undefined;
        // Else it is still unanswered; a lost connection shows in the status.
      },
    );
  }
}

import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';
import { parsePublished, type RunLogEntry } from './run-log-entry.js';

export interface LiveListener {
  onEntry(entry: RunLogEntry): void;
  /** Published entries arrive from now on; earlier ones may have been missed, so the log must be read. */
  onListening(): void;
}

/** Receives the published events of any number of runs over one Redis connection. */
export class RunLogHub {
  private readonly listeners = new Map<string, Set<LiveListener>>();

  /** @param subscriber a connection that is used for nothing else */
  constructor(private readonly subscriber: Redis) {
    subscriber.on('message', (channel: string, message: string) => {
      const listening = this.listeners.get(channel);
      if (!listening) return;
      const entry = parsePublished(message);
      for (const listener of listening) listener.onEntry(entry);
    });
    subscriber.on('ready', () => {
      // ioredis has sent the subscriptions again, but Redis may not have them yet: it replies to PING after them.
      subscriber.ping().then(
        () => this.notifyAll(),
        () => {},
      );
    });
  }

  /**
   * Returns a function that ends the subscription. Does not wait for Redis, which may be down: `onListening` is called when
   * the subscription is confirmed.
   */
  listen(runId: string, listener: LiveListener): () => void {
    const channel = redisKeys.runChannel(runId);
    const listening = this.listeners.get(channel) ?? new Set();
    listening.add(listener);
    this.listeners.set(channel, listening);
    // Even if the run has listeners: their subscription may not be confirmed yet.
    this.subscriber.subscribe(channel).then(
      () => listener.onListening(),
      () => {},
    );
    return () => {
      listening.delete(listener);
      if (listening.size > 0 || this.listeners.get(channel) !== listening) return;
      this.listeners.delete(channel);
      this.subscriber.unsubscribe(channel).catch(() => {});
    };
  }

  /** Runs with listeners, for health and leak checks. */
  get channelCount(): number {
    return this.listeners.size;
  }

  private notifyAll(): void {
    for (const listening of this.listeners.values()) {
      for (const listener of listening) listener.onListening();
    }
  }
}

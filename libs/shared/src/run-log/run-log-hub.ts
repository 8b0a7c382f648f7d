import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';
import { parsePublished, type RunLogEntry } from './run-log-entry.js';

export interface LiveListener {
  onEntry(entry: RunLogEntry): void;
  /** From now on entries are heard, but some may have been missed: the log is due for a look. */
  onListening(): void;
}

/** Hears the published events of any number of runs over one Redis connection. */
export class RunLogHub {
  private readonly listeners = new Map<string, Set<LiveListener>>();

  /** @param subscriber a connection that is used for nothing else */
  constructor(private readonly subscriber: Redis) {
    subscriber.on('message', (channel: string, message: string) => {
      const interested = this.listeners.get(channel);
      if (!interested) return;
      const entry = parsePublished(message);
      for (const listener of interested) listener.onEntry(entry);
    });
    subscriber.on('ready', () => {
      // ioredis has sent the subscriptions again, but Redis may not have got them: its answer to PING comes after.
      subscriber.ping().then(
        () => this.tellAll(),
        () => {},
      );
    });
  }

  /**
   * Begins to listen; the returned function ends it. Does not wait for Redis, which may be away: the listener is
   * told when the subscription is confirmed.
   */
  listen(runId: string, listener: LiveListener): () => void {
    const channel = redisKeys.runChannel(runId);
    const listening = this.listeners.get(channel) ?? new Set();
    listening.add(listener);
    this.listeners.set(channel, listening);
    // Also when others listen already: their own subscription may still be on its way.
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

  /** Runs being listened to, for health and leak checks. */
  get channelCount(): number {
    return this.listeners.size;
  }

  private tellAll(): void {
    for (const listening of this.listeners.values()) {
      for (const listener of listening) listener.onListening();
    }
  }
}

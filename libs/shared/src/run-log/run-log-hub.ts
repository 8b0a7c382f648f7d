import type { Redis } from 'ioredis';
import { redisKeys } from '../redis/redis-keys.js';
import { parsePublished, type RunLogEntry } from './run-log.js';

export interface LiveListener {
  onEntry(entry: RunLogEntry): void;
  /** Entries may have been missed: the connection was away for a moment. */
  onInterruption(): void;
}

/** Hears the published events of any number of runs over one Redis connection. */
export class RunLogHub {
  private readonly listeners = new Map<string, Set<LiveListener>>();
  private wasReady = false;

  /** @param subscriber a connection that is used for nothing else */
  constructor(private readonly subscriber: Redis) {
    subscriber.on('message', (channel: string, message: string) => {
      const interested = this.listeners.get(channel);
      if (!interested) return;
      const entry = parsePublished(message);
      for (const listener of interested) listener.onEntry(entry);
    });
    subscriber.on('ready', () => {
      if (this.wasReady) this.interruptAll();
      this.wasReady = true;
    });
  }

  /** Resolves once Redis has confirmed the subscription; the returned function ends it. */
  async listen(runId: string, listener: LiveListener): Promise<() => void> {
    const channel = redisKeys.runChannel(runId);
    const existing = this.listeners.get(channel);
    const listening = existing ?? new Set();
    listening.add(listener);
    this.listeners.set(channel, listening);
    const stop = () => {
      listening.delete(listener);
      if (listening.size > 0 || this.listeners.get(channel) !== listening) return;
      this.listeners.delete(channel);
      // While Redis is away there is nothing to unsubscribe from: a reconnect restores only live channels.
      this.subscriber.unsubscribe(channel).catch(() => {});
    };
    try {
      // Also when others listen already: their own subscription may still be on its way.
      await this.subscriber.subscribe(channel);
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** Runs being listened to, for health and leak checks. */
  get channelCount(): number {
    return this.listeners.size;
  }

  private interruptAll(): void {
    for (const listening of this.listeners.values()) {
      for (const listener of listening) listener.onInterruption();
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '../contracts/run-event.contract.js';
import { classifyError } from '../errors/index.js';
import { Fenced, RunEnded, type RunLog } from './run-log.js';

const DEFAULT_WINDOW = { ms: 25, characters: 256 };
export type CoalescingWindow = typeof DEFAULT_WINDOW;

const APPEND_TRIES = 30;
const APPEND_RETRY_MS = 500;

/**
 * Writes one attempt's events in order. Deltas are coalesced: the first is appended at once, later ones when the window
 * has passed or holds enough characters. One append runs at a time, so a slow Redis makes the deltas longer, not the
 * queue of appends.
 */
export class RunLogWriter {
  private base: number | undefined;
  private pendingText = '';
  private pendingEvents: RunEvent[] = [];
  private inFlight: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private streaming = false;
  private failure: Error | undefined;
  private readonly superseded = new AbortController();

  constructor(
    private readonly log: RunLog,
    private readonly runId: string,
    readonly attempt: number,
    private readonly window: CoalescingWindow = DEFAULT_WINDOW,
  ) {}

  /** Fires when a later attempt has written to the log, or the log holds its terminal event. */
  get supersededSignal(): AbortSignal {
    return this.superseded.signal;
  }

  /** Adds answer text; returns at once. */
  delta(text: string): void {
    if (text.length === 0) return;
    this.pendingText += text;
    const first = !this.streaming;
    this.streaming = true;
    if (first || this.pendingText.length >= this.window.characters) this.flushSoon(0);
    else this.flushSoon(this.window.ms);
  }

  /** Appends an event behind all text so far and waits until it is in the log. */
  async emit(...events: RunEvent[]): Promise<void> {
    this.queueText();
    this.pendingEvents.push(...events);
    this.streaming = false;
    await this.flush();
  }

  /** Appends all text so far and waits until it is in the log. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.inFlight) await this.inFlight;
    if (this.failure) throw this.failure;
    this.queueText();
    if (this.pendingEvents.length === 0) return;
    const events = this.pendingEvents;
    this.pendingEvents = [];
    this.inFlight = this.append(events).finally(() => {
      this.inFlight = undefined;
      if (this.pendingText)
        this.flushSoon(this.pendingText.length >= this.window.characters ? 0 : this.window.ms);
    });
    await this.inFlight;
  }

  private flushSoon(ms: number): void {
    if (this.inFlight || (this.timer && ms > 0)) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    if (ms > 0) {
      this.timer = setTimeout(() => this.flushSoon(0), ms);
      return;
    }
    // A failure is kept and reaches the caller at the next emit().
    this.flush().catch(() => {});
  }

  private async append(events: RunEvent[]): Promise<void> {
    try {
      this.base = await this.appendWithRetries(events);
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error('Appending failed', { cause: error });
      if (error instanceof Fenced || error instanceof RunEnded) this.superseded.abort(error);
      throw error;
    }
  }

  /** A Redis that refuses writes for a while, out of memory for instance, does not lose answer text. */
  private async appendWithRetries(events: RunEvent[]): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.log.append(this.runId, this.attempt, events, this.base);
      } catch (error) {
        if (tries >= APPEND_TRIES || !classifyError(error).retryable) throw error;
        await sleep(APPEND_RETRY_MS);
      }
    }
  }

  private queueText(): void {
    if (!this.pendingText) return;
    const data = { request_id: this.runId, text: this.pendingText };
    this.pendingEvents.push({ type: 'delta', data });
    this.pendingText = '';
  }
}

import type { RunLogEntry } from './run-log-entry.js';
import type { LiveListener } from './run-log-hub.js';

/** Published entries that a follower has not read yet; above `maxBytes` they are dropped and it reads the log. */
export class LiveBuffer implements LiveListener {
  mustReadLog = false;
  private entries: RunLogEntry[] = [];
  private bytes = 0;
  private notify: (() => void) | undefined;

  constructor(private readonly maxBytes: number) {}

  onEntry(entry: RunLogEntry): void {
    this.bytes += Buffer.byteLength(entry.data);
    if (this.bytes > this.maxBytes) {
      this.clear();
      this.mustReadLog = true;
    } else {
      this.entries.push(entry);
    }
    this.wake();
  }

  onListening(): void {
    this.mustReadLog = true;
    this.wake();
  }

  shift(): RunLogEntry | undefined {
    const entry = this.entries.shift();
    if (entry) this.bytes -= Buffer.byteLength(entry.data);
    return entry;
  }

  clear(): void {
    this.entries = [];
    this.bytes = 0;
    this.mustReadLog = false;
  }

  wake(): void {
    this.notify?.();
  }

  /** Resolves at the next entry or call of `wake`; after `ms` without one the follower must read the log. */
  async changed(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.mustReadLog = true;
        resolve();
      }, ms);
      this.notify = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.notify = undefined;
  }
}

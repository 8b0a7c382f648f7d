import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const KEPT_LINES = 40;

/** The last lines that a process printed, shown if it dies. */
export class RecentLines {
  readonly #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
  }

  all(): string[] {
    return [...this.#lines];
  }
}

export function forEachLine(stream: Readable | null, handle: (line: string) => void): void {
  if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', handle);
}

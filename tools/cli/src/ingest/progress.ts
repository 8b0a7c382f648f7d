import type { Terminal } from '../terminal.js';
import { progressLine, type IngestionState } from './ingestion-report.js';

const LINE_EVERY_MS = 3000;
const ERASE_LINE = '\r\u001B[2K';

/** Shows how far an ingestion is: one line drawn over on a terminal, a new line now and then elsewhere. */
export class Progress {
  private shown = '';
  private shownAt = Date.now();

  constructor(private readonly terminal: Terminal) {}

  show(state: IngestionState): void {
    const line = progressLine(state);
    if (line === this.shown) return;
    if (!this.terminal.isLive && Date.now() - this.shownAt < LINE_EVERY_MS) return;
    this.terminal.write(this.terminal.isLive ? `${ERASE_LINE}${line}` : `${line}\n`);
    this.shown = line;
    this.shownAt = Date.now();
  }

  /** Says something in between without tearing the line. */
  note(text: string): void {
    this.clear();
    this.terminal.note(`${text}\n`);
  }

  clear(): void {
    if (this.terminal.isLive && this.shown !== '') this.terminal.write(ERASE_LINE);
    this.shown = '';
  }
}

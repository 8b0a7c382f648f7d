import type { Terminal } from '../terminal.js';
import { drawnRows } from './drawn-rows.js';

const ERASE_BELOW = '\u001B[J';
const ERASE_LINE = '\r\u001B[2K';
const up = (rows: number) => (rows > 0 ? `\u001B[${rows}A` : '');

/** Text that grows on a terminal and can be erased; a status line is shown until there is text. */
export class LiveText {
  private drawn = '';
  private status = '';

  constructor(private readonly terminal: Terminal) {}

  get text(): string {
    return this.drawn;
  }

  /** `style` is applied to the part that fits into the line. */
  showStatus(status: string, style: (text: string) => string): void {
    if (this.drawn !== '') return;
    this.clearStatus();
    this.status = status.slice(0, this.terminal.columns - 1);
    this.terminal.write(style(this.status));
  }

  append(text: string): void {
    if (text === '') return;
    this.clearStatus();
    this.terminal.write(text);
    this.drawn += text;
  }

  /** Erases what was drawn; what has scrolled away stays, and a line marks the new start. */
  startOver(): void {
    this.clearStatus();
    const rows = drawnRows(this.drawn, this.terminal.columns);
    if (rows > this.terminal.rows) this.terminal.write('\n— starting over —\n');
    else if (this.drawn !== '') this.terminal.write(`\r${up(rows - 1)}${ERASE_BELOW}`);
    this.drawn = '';
  }

  /** Leaves the cursor at the start of a line. */
  end(): void {
    this.clearStatus();
    if (this.drawn !== '' && !this.drawn.endsWith('\n')) this.terminal.write('\n');
    this.drawn = '';
  }

  private clearStatus(): void {
    if (this.status !== '') this.terminal.write(ERASE_LINE);
    this.status = '';
  }
}

import type { Terminal } from './terminal.js';

const LINE_EVERY_MS = 3000;
const ERASE_LINE = '\r\u001B[2K';

/** One state in two forms: fitted into a line that is drawn over, or as a line of a log. */
export interface ProgressText {
  live(columns: number): string;
  plain(): string;
}

export interface ProgressOptions {
  /** Shows notes alone, because a program reads the output. */
  quiet?: boolean | undefined;
}

/** Shows the progress of a command: one line drawn over on a terminal, a new line every few seconds elsewhere. */
export class Progress {
  private shown = '';
  private shownAt = Date.now();

  constructor(
    private readonly terminal: Terminal,
    private readonly options: ProgressOptions = {},
  ) {}

  show(text: ProgressText): void {
    if (this.options.quiet) return;
    const { isLive, columns } = this.terminal;
    const line = isLive ? text.live(columns) : text.plain();
    if (line === this.shown) return;
    if (!isLive && Date.now() - this.shownAt < LINE_EVERY_MS) return;
    this.terminal.write(isLive ? `${ERASE_LINE}${line}` : `${line}\n`);
    this.shown = line;
    this.shownAt = Date.now();
  }

  /** Prints a line above the progress. */
  note(text: string): void {
    this.clear();
    this.terminal.note(`${text}\n`);
  }

  clear(): void {
    if (this.terminal.isLive && this.shown !== '') this.terminal.write(ERASE_LINE);
    this.shown = '';
  }
}

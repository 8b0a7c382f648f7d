/** Where a command talks to its user. */
export interface Terminal {
  /** Whether a line can be drawn over. */
  readonly isLive: boolean;
  /** For results; goes to stdout. */
  write(text: string): void;
  /** For notices and errors; goes to stderr. */
  note(text: string): void;
}

export const processTerminal: Terminal = {
  isLive: process.stdout.isTTY,
  write: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
};

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { linePrompt } from './line-prompt.js';

/** The input and output of a command. */
export interface Terminal {
  /** Whether a line can be drawn over. */
  readonly isLive: boolean;
  /** The width of a line. */
  readonly columns: number;
  /** How many lines are visible; lines that have scrolled away cannot be drawn over. */
  readonly rows: number;
  /** Piped input as text; absent when stdin is a terminal. */
  readonly piped?: Readable;
  /** For results; goes to stdout. */
  write(text: string): void;
  /** For notices and errors; goes to stderr. */
  note(text: string): void;
  /** Absent unless stdin and stderr are terminals. */
  ask?(question: string, signal: AbortSignal): Promise<string>;
  /** The next line of a dialogue, undefined at its end; absent like `ask`. */
  prompt?(text: string, signal: AbortSignal): Promise<string | undefined>;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

export const processTerminal: Terminal = {
  isLive: process.stdout.isTTY,
  get columns() {
    return process.stdout.columns || DEFAULT_COLUMNS;
  },
  get rows() {
    return process.stdout.rows || DEFAULT_ROWS;
  },
  write: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
  ...(process.stdin.isTTY ? {} : { piped: process.stdin.setEncoding('utf8') }),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask, prompt: linePrompt() } : {}),
};

async function ask(question: string, signal: AbortSignal): Promise<string> {
  const dialogue = createInterface({ input: process.stdin, output: process.stderr });
  // readline intercepts Ctrl-C while it reads.
  dialogue.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const endOfInput = once(dialogue, 'close').then(() => '');
  try {
    return await Promise.race([dialogue.question(question, { signal }), endOfInput]);
  } catch (error) {
    if (signal.aborted) throw error;
    // Ctrl-D.
    return '';
  } finally {
    dialogue.close();
  }
}

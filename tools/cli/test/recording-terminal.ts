import { Readable } from 'node:stream';
import type { Terminal } from '../src/terminal.js';

export interface RecordingTerminal extends Terminal {
  /** Everything, in order. */
  output: string;
  stdout: string;
  questions: string[];
}

export interface TerminalScript {
  columns?: number;
  rows?: number;
  piped?: string;
  prompt?: NonNullable<Terminal['prompt']>;
  /** What the user types when asked; without it the terminal cannot ask. */
  answer?: string;
}

export function recordingTerminal(
  isLive = false,
  { columns = 80, rows = 24, answer, piped, prompt }: TerminalScript = {},
): RecordingTerminal {
  const terminal: RecordingTerminal = {
    output: '',
    stdout: '',
    questions: [],
    isLive,
    columns,
    rows,
    write(text) {
      terminal.output += text;
      terminal.stdout += text;
    },
    note: (text) => void (terminal.output += text),
  };
  if (piped !== undefined) Object.assign(terminal, { piped: Readable.from([piped]) });
  if (prompt) Object.assign(terminal, { prompt });
  if (answer === undefined) return terminal;
  return Object.assign(terminal, {
    ask(question: string) {
      terminal.questions.push(question);
      return Promise.resolve(answer);
    },
  });
}

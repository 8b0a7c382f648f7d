import { Readable } from 'node:stream';
import type { Terminal } from '../src/terminal.js';

export interface RecordingTerminal extends Terminal {
  /** Everything, in its order. */
  output: string;
  stdout: string;
  /** What the user was asked. */
  questions: string[];
}

export interface TerminalScript {
  columns?: number;
  rows?: number;
  /** What is piped in. */
  piped?: string;
  /** Somebody at the keyboard. */
  prompt?: NonNullable<Terminal['prompt']>;
  /** What the user answers; without it nobody is there. */
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

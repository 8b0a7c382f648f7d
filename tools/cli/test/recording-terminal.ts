import type { Terminal } from '../src/terminal.js';

export interface RecordingTerminal extends Terminal {
  output: string;
}

export function recordingTerminal(isLive = false): RecordingTerminal {
  const terminal: RecordingTerminal = {
    output: '',
    isLive,
    write: (text) => void (terminal.output += text),
    note: (text) => void (terminal.output += text),
  };
  return terminal;
}

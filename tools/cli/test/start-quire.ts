import { tmpdir } from 'node:os';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../src/command-line.js';
import { Interrupts } from '../src/interrupts.js';
import { recordingTerminal, type RecordingTerminal } from './recording-terminal.js';

export interface QuireCall {
  args: readonly string[];
  env?: Record<string, string>;
  terminal?: RecordingTerminal;
}

export interface RunningQuire {
  exitCode: Promise<number>;
  terminal: RecordingTerminal;
  interrupt(): void;
}

/** `quire` in this process, interrupted at the latest when the test ends. */
export function startQuire({ args, env = {}, terminal = recordingTerminal() }: QuireCall): RunningQuire {
  const interrupts = new Interrupts();
  const exitCode = runCommandLine(args, {
    env,
    cwd: tmpdir(),
    terminal,
    signal: interrupts.signal,
    interrupts,
  });
  onTestFinished(async () => {
    interrupts.endCommand();
    await exitCode.catch(() => {});
  });
  return { exitCode, terminal, interrupt: () => void interrupts.raise() };
}

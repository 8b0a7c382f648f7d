import type { Interrupts } from './interrupts.js';
import type { Terminal } from './terminal.js';

/** Where a command was called from. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  cwd: string;
}

export interface CommandContext extends Surroundings {
  terminal: Terminal;
  /** Fires when the user wants to stop. */
  signal: AbortSignal;
  onExitCode: (code: number) => void;
}

/** For commands in which Ctrl-C ends the current work first. */
export interface InteractiveContext extends CommandContext {
  interrupts: Interrupts;
}

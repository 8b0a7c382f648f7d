import type { Interrupts } from './interrupts.js';
import type { Terminal } from './terminal.js';

/** What a command knows of the place it was called from. */
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

/** For commands in which Ctrl-C ends a piece of work first. */
export interface InteractiveContext extends CommandContext {
  interrupts: Interrupts;
}

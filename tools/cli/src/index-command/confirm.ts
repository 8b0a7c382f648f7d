import { CommandFailure, exitCodes } from '../command-failure.js';
import type { Terminal } from '../terminal.js';

export interface Confirmation {
  /** The user has agreed beforehand. */
  yes?: boolean | undefined;
  terminal: Terminal;
  signal: AbortSignal;
}

/** Asks before something is deleted; without a terminal, `--yes` is required. */
export async function confirmed(question: string, { yes, terminal, signal }: Confirmation): Promise<boolean> {
  if (yes) return true;
  if (!terminal.ask) {
    throw new CommandFailure('This cannot be undone: add --yes if you mean it.', exitCodes.usage);
  }
  const answer = await terminal.ask(`${question} [y/N] `, signal);
  if (/^y(es)?$/i.test(answer.trim())) return true;
  terminal.note('Nothing was deleted.\n');
  return false;
}

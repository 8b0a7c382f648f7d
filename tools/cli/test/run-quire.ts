import { runCommandLine } from '../src/command-line.js';
import type { CommandContext } from '../src/command-context.js';
import { Interrupts } from '../src/interrupts.js';

export interface FinishedCommand {
  exitCode: number;
  out: string;
  err: string;
}

/** Runs the command line to its end and returns stdout and stderr separately. */
export async function runQuire(
  args: readonly string[],
  { isLive = false, ...context }: Pick<CommandContext, 'env' | 'cwd' | 'signal'> & { isLive?: boolean },
): Promise<FinishedCommand> {
  const written = { out: '', err: '' };
  const terminal = {
    isLive,
    columns: 80,
    rows: 24,
    write: (text: string) => void (written.out += text),
    note: (text: string) => void (written.err += text),
  };
  const exitCode = await runCommandLine(args, { ...context, terminal, interrupts: new Interrupts() });
  return { exitCode, ...written };
}

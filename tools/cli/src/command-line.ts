import { classifyError } from '@quire/shared/errors';
import { Command, CommanderError } from 'commander';
import { CommandFailure, exitCodes } from './command-failure.js';
import { ingestCommand, type CommandContext } from './ingest/ingest.command.js';

/** Runs `quire` with these arguments and answers the exit code: 0 done, 1 failed, 2 wrongly called. */
export async function runCommandLine(
  args: readonly string[],
  context: Omit<CommandContext, 'onExitCode'>,
): Promise<number> {
  const { terminal } = context;
  let exitCode: number = exitCodes.ok;
  const ingest = ingestCommand({ ...context, onExitCode: (code) => (exitCode = code) });
  const program = new Command('quire')
    .description('Works on the index of a running Quire')
    .addCommand(ingest);
  for (const command of [program, ingest]) {
    command.exitOverride().configureOutput({ writeOut: terminal.write, writeErr: terminal.note });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error instanceof CommandFailure) {
      terminal.note(`${error.message}\n`);
      return error.exitCode;
    }
    const { code, message } = classifyError(error);
    if (code === 'INTERNAL') throw error;
    terminal.note(`${message}\n`);
    return exitCodes.failed;
  }
}

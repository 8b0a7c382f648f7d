import { readFileSync } from 'node:fs';
import { IngestionFailure } from '@quire/ingestion';
import { classifyError } from '@quire/shared/errors';
import { Command, CommanderError } from 'commander';
import type { InteractiveContext } from './command-context.js';
import { CommandFailure, exitCodes } from './command-failure.js';
import { askCommand } from './ask/ask.command.js';
import { calibrateCommand } from './calibrate/calibrate.command.js';
import { chatCommand } from './chat/chat.command.js';
import { evalCommand } from './eval/eval.command.js';
import { feedbackCommand } from './feedback/feedback.command.js';
import { ingestCommand } from './ingest/ingest.command.js';
import { indexCommand } from './index-command/index.command.js';
import { keysCommand } from './keys/keys.command.js';
import type { Terminal } from './terminal.js';

const HELP = `
Examples:
  quire ask "How do nodes communicate?"                    one answer, with its sources
  quire chat                                               one question after another
  quire ingest docs --base-url https://example.org/docs    bring a folder of pages into the index
  quire ingest https://example.org/docs                    … or a site with a sitemap
  quire index status                                       what the index holds
  quire feedback                                           the ratings of answers
  quire keys create --tenant acme --name "web site"         a key for the API
  quire help ingest                                        all options of a command

Quire is found through .quire/stack.json while \`npm start\` runs, or through the variables
QUIRE_URL and QUIRE_API_KEY (to ask), REDIS_URL, QDRANT_URL, QDRANT_API_KEY and QDRANT_COLLECTION
(for the index), DATABASE_URL (for feedback and keys) and API_KEY_SECRET (for keys); also from the
file .env.

Exit codes: 0 done, 1 failed, 2 wrongly called, 130 stopped with Ctrl-C.
`;

/** Runs `quire` with these arguments and returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Omit<InteractiveContext, 'onExitCode'>,
): Promise<number> {
  const { terminal } = surroundings;
  let exitCode: number = exitCodes.ok;
  const program = quire({ ...surroundings, onExitCode: (code) => (exitCode = code) });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error instanceof CommandFailure || error instanceof IngestionFailure) {
      terminal.note(`${error.message}\n`);
      return error instanceof CommandFailure ? error.exitCode : exitCodes.failed;
    }
    const { code, message } = classifyError(error);
    if (code === 'INTERNAL') throw error;
    terminal.note(`${message}\n`);
    return exitCodes.failed;
  }
}

function quire(context: InteractiveContext): Command {
  const program = new Command('quire')
    .description('Asks a running Quire, and manages the index that it answers from.')
    .version(version(), '-V, --version', 'print the version')
    .addCommand(askCommand(context))
    .addCommand(chatCommand(context))
    .addCommand(ingestCommand(context))
    .addCommand(indexCommand(context))
    .addCommand(evalCommand(context))
    .addCommand(calibrateCommand(context))
    .addCommand(feedbackCommand(context))
    .addCommand(keysCommand(context))
    .addHelpText('after', HELP);
  printThrough(program, context.terminal);
  return program;
}

/** Commander alone would write to the process's streams and exit. */
function printThrough(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: terminal.write,
      writeErr: terminal.note,
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    })
    .helpOption('-h, --help', 'show this help');
  for (const subcommand of command.commands) printThrough(subcommand, terminal);
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

import { fileURLToPath } from 'node:url';
import { ArgumentError, parseArguments, USAGE } from './arguments.js';
import { runStack } from './compose.js';
import { readEnvironment } from './configuration/env-file.js';
import { terminal } from './console.js';
import { StackError } from './stack-error.js';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

process.exit(await main());

async function main(): Promise<number> {
  try {
    const options = parseArguments(process.argv.slice(2));
    if (options.help) {
      terminal.say(USAGE);
      return 0;
    }
    if (process.platform === 'win32') {
      throw new StackError(
        'the embedded stack runs on Linux and macOS',
        'Use WSL 2, or `docker compose up`.',
      );
    }
    const { env, notices } = readEnvironment(REPOSITORY, process.env);
    // For programs and libraries that read `process.env`.
    Object.assign(process.env, env);
    for (const notice of notices) terminal.say(notice);
    const colours = process.stdout.isTTY && !process.env.NO_COLOR;
    return await runStack(options, { repository: REPOSITORY, env, console: terminal, colours });
  } catch (error) {
    if (error instanceof ArgumentError) {
      terminal.fail(`${error.message}\n\n${USAGE}`);
      return 2;
    }
    if (!(error instanceof StackError)) throw error;
    terminal.fail(error.message, error.remedy);
    return 1;
  }
}

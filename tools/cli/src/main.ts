import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CommandFailure } from './command-failure.js';
import { runCommandLine } from './command-line.js';
import { Interrupts } from './interrupts.js';
import { loadEnvFile } from './load-env-file.js';
import { processTerminal } from './terminal.js';

try {
  loadEnvFile(fileURLToPath(new URL('../../../.env', import.meta.url)));
} catch (error) {
  if (!(error instanceof CommandFailure)) throw error;
  processTerminal.note(`${error.message}\n`);
  process.exit(error.exitCode);
}

const interrupts = new Interrupts();
const codeOf = (signal: 'SIGINT' | 'SIGTERM') => 128 + constants.signals[signal];
let signalCode: number | undefined;
process.on('SIGINT', () => {
  if (!interrupts.raise()) process.exit(codeOf('SIGINT'));
  if (interrupts.signal.aborted) signalCode = codeOf('SIGINT');
});
process.on('SIGTERM', () => {
  // A second SIGTERM ends the process at once.
  if (interrupts.signal.aborted) process.exit(codeOf('SIGTERM'));
  signalCode = codeOf('SIGTERM');
  interrupts.endCommand();
});

const exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  terminal: processTerminal,
  signal: interrupts.signal,
  interrupts,
});
process.exitCode = signalCode ?? exitCode;

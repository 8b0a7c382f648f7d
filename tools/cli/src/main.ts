import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './command-line.js';
import { processTerminal } from './terminal.js';

// As `npm start` does: what is set already wins over the file.
const envFile = fileURLToPath(new URL('../../../.env', import.meta.url));
if (existsSync(envFile)) process.loadEnvFile(envFile);

const interrupted = new AbortController();
let signalCode: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second time the user means it.
    if (interrupted.signal.aborted) process.exit(128 + constants.signals[signal]);
    signalCode = 128 + constants.signals[signal];
    interrupted.abort();
  });
}

const exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  terminal: processTerminal,
  signal: interrupted.signal,
});
process.exitCode = signalCode ?? exitCode;

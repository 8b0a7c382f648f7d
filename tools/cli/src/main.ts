import { constants } from 'node:os';
import { runCommandLine } from './command-line.js';
import { processTerminal } from './terminal.js';

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

import { Command, InvalidArgumentError } from 'commander';
import { faultNames, type FaultName } from './faults/fault-kinds.js';
import { note } from './note.js';
import { isClean } from './report/report.js';
import { reportText } from './report/report-text.js';
import { writeJson } from './report/write-json.js';
import { runChaos } from './run-chaos.js';

const INTERRUPTED = 130;
const SEEDS = 2 ** 31;

interface Options {
  seconds: number;
  seed: number;
  clients: number;
  only: FaultName[];
  json?: string;
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second signal exits at once; exit handlers end the started processes and remove their data.
    if (interruption.signal.aborted) process.exit(INTERRUPTED);
    note('Stopping …');
    interruption.abort();
  });
}

await new Command('npm run chaos --')
  .description(
    'Runs Quire under load while its processes and stores are killed, frozen, wiped and cut off, on private stores. ' +
      'Exit code 1: a question was lost, answered twice or left hanging, a run was taken over too late, ' +
      'a service ended by itself, or a process was left behind.',
  )
  .option('--seconds <n>', 'how long', positive, 180)
  .option(
    '--seed <n>',
    'repeats a schedule (default: a random one)',
    positive,
    Math.ceil(Math.random() * SEEDS),
  )
  .option('--clients <n>', 'how many ask at a time', positive, 16)
  .option('--only <faults>', `which, with commas: ${faultNames.join(', ')}`, faultList, faultNames)
  .option('--json <file>', 'write the report there as well')
  .action(run)
  .parseAsync();

async function run({ only, json, ...options }: Options): Promise<void> {
  const { signal } = interruption;
  const report = await runChaos({ ...options, faults: only, signal }).catch((error: unknown) => {
    // After an interruption the clients' requests fail, since the services have stopped.
    if (signal.aborted) process.exit(INTERRUPTED);
    throw error;
  });
  process.stdout.write(`\n${reportText(report)}`);
  if (json !== undefined) await writeJson(json, report);
  if (!isClean(report)) process.exitCode = 1;
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('a whole number above 0 is needed');
}

function faultList(text: string): FaultName[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !faultNames.includes(name as FaultName));
  if (unknown.length > 0) throw new InvalidArgumentError(`there is no ${unknown.join(', ')}`);
  return names as FaultName[];
}

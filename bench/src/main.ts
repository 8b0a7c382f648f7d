import { availableParallelism, loadavg } from 'node:os';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { benchmarkNames, benchmarks, type BenchmarkName } from './benchmarks.js';
import { note } from './note.js';
import { judge, type JudgedFigure } from './report/figure.js';
import { figureTable } from './report/table.js';
import { writeJson } from './report/write-json.js';

const INTERRUPTED = 130;
const QUICK_CHUNKS = 600;
/** After a third of them Redis holds its maximum: the logs of 5,000 runs, and 32 MB of vectors of questions. */
const QUICK_RUNS = 40_000;
const QUICK_STREAMS = 4000;

interface Options {
  chunks: number;
  runs: number;
  streams: number;
  json?: string;
}

// Exit handlers end the started processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED));

await new Command('npm run bench --')
  .description(
    'Measures Quire against a baseline in the same run, on private stores. Exit code 1: a bar is missed.',
  )
  .addArgument(new Argument('[benchmark...]', 'which (default: all)').choices(benchmarkNames))
  .option(
    '--chunks <n>',
    'size of the ingested book; 10000 takes some 15 minutes on 2 cores',
    wholeNumber(100),
    QUICK_CHUNKS,
  )
  .option('--runs <n>', 'how many questions Redis has to forget', wholeNumber(1000), QUICK_RUNS)
  .option('--streams <n>', 'how many streams a gateway holds open', wholeNumber(400), QUICK_STREAMS)
  .option('--json <file>', 'write the figures there as well')
  .action(run)
  .parseAsync();

async function run(chosen: BenchmarkName[], { json, ...sizes }: Options): Promise<void> {
  noteBusyMachine();
  const figures: JudgedFigure[] = [];
  for (const name of benchmarkNames) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    figures.push(...(await benchmarks[name](sizes)).map(judge));
  }
  process.stdout.write(`\n${figureTable(figures)}`);
  if (json !== undefined) await writeJson(json, figures);
  if (figures.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;
}

function noteBusyMachine(): void {
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  if (load > cores / 2)
    note(`This machine is busy (load ${load.toFixed(1)} on ${cores} cores): don't trust the figures`);
}

function wholeNumber(from: number) {
  return (text: string): number => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= from) return count;
    throw new InvalidArgumentError(`a whole number from ${from} is needed`);
  };
}

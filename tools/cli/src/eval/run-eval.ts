import { resolve } from 'node:path';
import { exitCodes } from '../command-failure.js';
import { readGoldenFile } from '../golden/read-golden-file.js';
import { requirePassages, requireResults } from '../golden/search-all.js';
import { withRetrieval, type RetrievalUse } from '../golden/with-retrieval.js';
import { asJson, writeJson } from '../golden/write-json.js';
import { figuresOf } from './eval-figures.js';
import { evalQueries } from './eval-queries.js';
import { evaluate } from './eval-report.js';
import { evalText, failuresText } from './eval-text.js';
import { checkGates, missedGates, type Gate } from './gates.js';

export interface EvalRun {
  file: string;
  topK: number;
  json: boolean;
  out: string;
  concurrency: number;
  gates: readonly Gate[];
}

/** Searches for every question of a golden file, reports and returns the exit code. */
export async function runEval(
  { file, topK, json, out, concurrency, gates }: EvalRun,
  context: Omit<RetrievalUse, 'concurrency' | 'quiet'>,
): Promise<number> {
  const { cwd, terminal } = context;
  checkGates(gates, topK);
  const queries = evalQueries(await readGoldenFile(resolve(cwd, file)), topK);
  const results = await withRetrieval({ ...context, concurrency, quiet: json }, (search) =>
    search(queries.map(({ query }) => query)),
  );
  requireResults(results);
  requirePassages(results.filter((_, i) => queries[i]?.purpose === 'hybrid'));

  const evaluated = evaluate(queries, results, topK);
  const report = { golden: file, at: new Date().toISOString(), ...evaluated };
  terminal.write(json ? asJson(report) : evalText(evaluated));
  const missed = missedGates(gates, figuresOf(evaluated));
  if (evaluated.failed.length > 0) terminal.note(failuresText(evaluated.failed));
  for (const sentence of missed) terminal.note(`${sentence}\n`);

  const path = resolve(cwd, out);
  await writeJson(path, report);
  terminal.note(`The report is in ${path}\n`);
  return evaluated.failed.length > 0 || missed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

import { resolve } from 'node:path';
import { TOP_K_DEFAULT, type RetrievalResult } from '@quire/shared/contracts';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { isInSection } from '../golden/expected-section.js';
import { isInScope, type GoldenQuestion } from '../golden/golden-question.js';
import { readGoldenFile } from '../golden/read-golden-file.js';
import { requirePassages, requireResults } from '../golden/search-all.js';
import { withRetrieval, type SearchAll, type RetrievalUse } from '../golden/with-retrieval.js';
import { asJson, writeJson } from '../golden/write-json.js';
import { calibrate, type QuestionObservation } from './calibration.js';
import { calibrationText } from './calibration-text.js';
import { fitThreshold } from './fit-threshold.js';
import { requireEnough, splitInHalves } from './halves.js';
import { scoreOf } from './observation.js';

export interface CalibrationRun {
  file: string;
  json: boolean;
  out: string;
  concurrency: number;
  embedder?: string;
}

/** Fits a confidence preset to the running embedder, reports its quality and returns the exit code. */
export async function runCalibrate(
  { file, json, out, concurrency, embedder }: CalibrationRun,
  context: Omit<RetrievalUse, 'concurrency' | 'quiet'>,
): Promise<number> {
  const { cwd, terminal } = context;
  const { fit, judge } = splitInHalves(await readGoldenFile(resolve(cwd, file)));
  requireEnough({ fit, judge });
  const calibration = await withRetrieval({ ...context, concurrency, quiet: json }, async (search) => {
    const similarityThreshold = thresholdFor(await searchAsChat(fit, 0, search));
    // Searched again with the new threshold, because it decides which passages a chat is given.
    const observed = (await searchAsChat([...fit, ...judge], similarityThreshold, search)).map(observe);
    const halves = { fit: observed.slice(0, fit.length), judge: observed.slice(fit.length) };
    return calibrate({ similarityThreshold, ...halves, at: new Date().toISOString(), embedder });
  });
  terminal.write(json ? asJson(calibration) : calibrationText(calibration));
  const path = resolve(cwd, out);
  await writeJson(path, calibration.preset);
  terminal.note(`The preset is in ${path}; retrieval workers use it with CONFIDENCE_PRESET=${path}\n`);
  return exitCodes.ok;
}

type Searched = [question: GoldenQuestion, result: RetrievalResult];

/** Rejects if any search fails: a preset must be fitted on all questions. */
async function searchAsChat(
  questions: readonly GoldenQuestion[],
  similarity_threshold: number,
  search: SearchAll,
): Promise<Searched[]> {
  const results = await search(
    questions.map(({ question: query }) => ({
      query,
      top_k: TOP_K_DEFAULT,
      similarity_threshold,
      mode: 'hybrid',
    })),
  );
  requireResults(results);
  if (similarity_threshold === 0) requirePassages(results);
  const failures: string[] = [];
  const searched = questions.flatMap((question, i): Searched[] => {
    const found = results[i];
    if (found?.ok) return [[question, found.result]];
    failures.push(`  ${question.id}: ${found?.reason}`);
    return [];
  });
  if (failures.length === 0) return searched;
  throw new CommandFailure(
    `Nothing was fitted, because not every question was answered:\n${failures.join('\n')}`,
  );
}

function observe([question, { chunks, confidence }]: Searched): QuestionObservation {
  return {
    type: question.type,
    inScope: isInScope(question),
    similarities: chunks.map(({ similarity }) => similarity),
    lexicalScore: confidence.lexical_score,
  };
}

function thresholdFor(searched: readonly Searched[]): number {
  const inScope = searched.filter(([question]) => isInScope(question));
  return fitThreshold({
    relevant: inScope.flatMap(([{ expected }, { chunks }]) =>
      chunks
        .filter((chunk) => expected.some((section) => isInSection(section, chunk)))
        .map(({ similarity }) => similarity),
    ),
    bestInScope: inScope.map((each) => scoreOf('best', observe(each))),
  });
}

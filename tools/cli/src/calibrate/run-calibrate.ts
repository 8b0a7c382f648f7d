import { resolve } from 'node:path';
import { TOP_K_DEFAULT, type RetrievalResult } from '@quire/shared/contracts';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { requireAnswers, requirePassages } from '../golden/answers-of-use.js';
import { isInSection } from '../golden/expected-section.js';
import { isInScope, type GoldenQuestion } from '../golden/golden-question.js';
import { readGoldenFile } from '../golden/read-golden-file.js';
import { withRetrieval, type Ask, type RetrievalUse } from '../golden/with-retrieval.js';
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

/** Fits a confidence preset to the running embedder, reports how well it does, and answers the exit code. */
export async function runCalibrate(
  { file, json, out, concurrency, embedder }: CalibrationRun,
  context: Omit<RetrievalUse, 'concurrency' | 'quiet'>,
): Promise<number> {
  const { cwd, terminal } = context;
  const { fit, judge } = splitInHalves(await readGoldenFile(resolve(cwd, file)));
  requireEnough({ fit, judge });
  const calibration = await withRetrieval({ ...context, concurrency, quiet: json }, async (ask) => {
    const similarityThreshold = thresholdFor(await askAsChat(fit, 0, ask));
    // Asked again under the new threshold, since it decides which passages a chat gets to see.
    const observed = (await askAsChat([...fit, ...judge], similarityThreshold, ask)).map(observe);
    const halves = { fit: observed.slice(0, fit.length), judge: observed.slice(fit.length) };
    return calibrate({ similarityThreshold, ...halves, at: new Date().toISOString(), embedder });
  });
  terminal.write(json ? asJson(calibration) : calibrationText(calibration));
  const path = resolve(cwd, out);
  await writeJson(path, calibration.preset);
  terminal.note(`The preset is in ${path}; retrieval workers use it with CONFIDENCE_PRESET=${path}\n`);
  return exitCodes.ok;
}

type Asked = [question: GoldenQuestion, result: RetrievalResult];

/** A preset that leaves out questions would be fitted to something else: each must be answered. */
async function askAsChat(
  questions: readonly GoldenQuestion[],
  similarity_threshold: number,
  ask: Ask,
): Promise<Asked[]> {
  const answers = await ask(
    questions.map(({ question: query }) => ({
      query,
      top_k: TOP_K_DEFAULT,
      similarity_threshold,
      mode: 'hybrid',
    })),
  );
  requireAnswers(answers);
  if (similarity_threshold === 0) requirePassages(answers);
  const failures: string[] = [];
  const asked = questions.flatMap((question, i): Asked[] => {
    const answer = answers[i];
    if (answer?.ok) return [[question, answer.result]];
    failures.push(`  ${question.id}: ${answer?.reason}`);
    return [];
  });
  if (failures.length === 0) return asked;
  throw new CommandFailure(
    `Nothing was fitted, because not every question was answered:\n${failures.join('\n')}`,
  );
}

function observe([question, { chunks, confidence }]: Asked): QuestionObservation {
  return {
    type: question.type,
    inScope: isInScope(question),
    similarities: chunks.map(({ similarity }) => similarity),
    lexicalScore: confidence.lexical_score,
  };
}

function thresholdFor(asked: readonly Asked[]): number {
  const inScope = asked.filter(([question]) => isInScope(question));
  return fitThreshold({
    relevant: inScope.flatMap(([{ expected }, { chunks }]) =>
      chunks
        .filter((chunk) => expected.some((section) => isInSection(section, chunk)))
        .map(({ similarity }) => similarity),
    ),
    bestInScope: inScope.map((each) => scoreOf('best', observe(each))),
  });
}

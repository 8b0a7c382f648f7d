import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confidencePresetSchema } from '@quire/shared/contracts';
import { InvalidInput } from '@quire/shared/errors';
import type { JobPayload } from '@quire/shared/jobs';
import { testRedisUrl } from '@quire/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Calibration } from '../src/calibrate/calibration.js';
import { runQuire } from './run-quire.js';
import { retrievalResult, startScriptedRetrieval } from './scripted-retrieval.js';

let cwd: string;
let redisUrl: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'quire-calibrate-'));
  redisUrl = await testRedisUrl();
});
afterEach(() => rm(cwd, { recursive: true }));

/** Questions `in 0`, `in 1`, … and `out 0`, `out 1`, … */
async function writeGolden(inScope: number, outOfScope: number): Promise<void> {
  const inside = Array.from({ length: inScope }, (_, i) => {
    return { id: `in-${i}`, type: 'lexical', question: `in ${i}`, expected: ['page#relevant'] };
  });
  const outside = Array.from({ length: outOfScope }, (_, i) => {
    return { id: `out-${i}`, type: 'out_of_scope', question: `out ${i}`, expected: [] };
  });
  const lines = [...inside, ...outside].map((question) => JSON.stringify(question));
  await writeFile(join(cwd, 'golden.jsonl'), lines.join('\n'));
}

/** The relevant passage of `in n` has 0.50 + n/100, the best of `out n` 0.30 + n/100, and 0.2 is never relevant. */
function answer({
  query,
  similarity_threshold: threshold = 0,
}: Pick<JobPayload<'retrieval'>, 'query' | 'similarity_threshold'>) {
  const [scope, number] = query.split(' ');
  const best = (scope === 'in' ? 50 : 30) / 100 + Number(number) / 100;
  const passages = [
    { url: `https://x.org/page#${scope === 'in' ? 'relevant' : 'other'}`, similarity: best },
    { url: 'https://x.org/page#other', similarity: best - 0.02 },
    { url: 'https://x.org/page#never', similarity: 0.2 },
  ];
  return retrievalResult(passages.filter(({ similarity }) => similarity >= threshold));
}

const run = (...args: string[]) => {
  const { signal } = new AbortController();
  return runQuire(['calibrate', 'golden.jsonl', ...args], {
    env: { REDIS_URL: redisUrl },
    cwd,
    signal,
  });
};
const readPreset = async (name = 'confidence-preset.json') =>
  confidencePresetSchema.parse(JSON.parse(await readFile(join(cwd, name), 'utf8')));

it('quire calibrate fits a preset on one half of the questions and judges it by the other', async () => {
  await writeGolden(40, 30);
  await startScriptedRetrieval(redisUrl, answer);
  const { exitCode, out, err } = await run();
  expect(err).toContain(`CONFIDENCE_PRESET=${join(cwd, 'confidence-preset.json')}`);
  expect(exitCode).toBe(0);
  // The fit half has `in` 0, 2, … 38 (0.50–0.88) and `out` 0, 2, … 28 (0.30–0.58).
  expect(await readPreset()).toMatchObject({
    similarityThreshold: 0.5,
    levels: [
      { level: 'high', measure: 'best', atLeast: 0.7, chunks: 2 },
      { level: 'medium', measure: 'best', atLeast: 0.5801, chunks: 1 },
      { level: 'low', measure: 'best', atLeast: 0.52, chunks: 1 },
    ],
    fitted: { questions: 35, calibration_error: expect.any(Number) as number },
  });
  // The other half has `in` 1, 3, … 39 (0.51–0.89) and `out` 1, 3, … 29 (0.31–0.59).
  expect(out).toContain('in scope, should be answered: 95.0 % of 20');
  expect(out).toContain('out of scope, insufficient or low: 93.3 % of 15');
  expect(out).toMatch(/area under the ROC curve\s*│\s*0\.9\d\d/);
});

it('quire calibrate fits the threshold on one half, then searches every question under it, as chats do', async () => {
  await writeGolden(20, 20);
  const asked: string[] = [];
  await startScriptedRetrieval(redisUrl, (query) => {
    asked.push([query.query, query.mode, query.top_k, query.similarity_threshold].join(' '));
    return answer(query);
  });
  await run('--concurrency', '1');
  const everySecond = Array.from({ length: 10 }, (_, i) => 2 * i);
  const others = everySecond.map((n) => n + 1);
  const halves = (suffix: string, ...numbers: number[][]) =>
    numbers.flatMap((half) =>
      ['in', 'out'].flatMap((scope) => half.map((n) => `${scope} ${n} hybrid 5 ${suffix}`)),
    );
  expect(asked).toEqual([...halves('0', everySecond), ...halves('0.5', everySecond, others)]);
});

it('quire calibrate --json prints preset, curve and figures; --out and --embedder go into the preset file', async () => {
  await writeGolden(20, 20);
  await startScriptedRetrieval(redisUrl, answer);
  const { out } = await run('--json', '--out', 'own.json', '--embedder', 'local-e5');
  const { preset, curve, judged } = JSON.parse(out) as Calibration;
  expect(await readPreset('own.json')).toEqual(preset);
  expect(preset.fitted?.embedder).toBe('local-e5');
  expect(curve.slope).toBeGreaterThan(0);
  expect(judged).toMatchObject({
    questions: 20,
    auc: 1,
    calibration_error: preset.fitted?.calibration_error,
  });
});

const expectNoPreset = () => expect(readPreset()).rejects.toThrow('ENOENT');

it('quire calibrate fits and writes nothing with too few questions', async () => {
  await writeGolden(40, 19);
  const { exitCode, err } = await run();
  expect(exitCode).toBe(1);
  expect(err).toContain('too few questions');
  await expectNoPreset();
});

it('quire calibrate fits and writes nothing when a question fails', async () => {
  await writeGolden(20, 20);
  await startScriptedRetrieval(redisUrl, (query) =>
    query.query === 'out 4' ? Promise.reject(new InvalidInput('INVALID_REQUEST', 'Too odd')) : answer(query),
  );
  const { exitCode, err } = await run();
  expect(exitCode).toBe(1);
  expect(err).toMatch(/not every question was answered:\n {2}out-4: Too odd/);
  await expectNoPreset();
});

it('quire calibrate fits and writes nothing when the index is empty', async () => {
  await writeGolden(20, 20);
  await startScriptedRetrieval(redisUrl, () => retrievalResult([]));
  expect(await run()).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('The index is empty') as string,
  });
  await expectNoPreset();
});

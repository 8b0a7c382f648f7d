import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobPayload } from '@quire/shared/jobs';
import { testRedisUrl } from '@quire/testkit';
import { onTestFinished } from 'vitest';
import type { EvalReport } from '../src/eval/eval-report.js';
import { runQuire } from './run-quire.js';
import { retrievalResult } from './scripted-retrieval.js';

const site = 'https://book.example/docs';
export const golden = [
  { id: 'lex', type: 'lexical', question: 'What is QoS?', expected: ['ros2/qos#what'] },
  { id: 'par', type: 'paraphrased', question: 'Why so slow?', expected: ['ros2/nodes'] },
  { id: 'mul', type: 'multi_section', question: 'Both?', expected: ['ros2/qos#what', 'ros2/nodes#how'] },
  { id: 'oos', type: 'out_of_scope', question: 'Soft eggs?', expected: [] },
];

/** Found at 1 by any mode: `lex`; at 2 by all but the sparse: half of `mul`; `par` is never found. */
export function answer({ query, mode }: JobPayload<'retrieval'>) {
  const other = { url: `${site}/other#x`, similarity: 0.3 };
  if (query === 'What is QoS?') return retrievalResult([{ url: `${site}/ros2/qos#what`, similarity: 0.7 }]);
  if (query === 'Soft eggs?') return retrievalResult([{ ...other, similarity: 0.1 }]);
  if (query === 'Both?' && mode !== 'sparse')
    return retrievalResult([
      other,
      { url: `${site}/ros2/nodes#why`, similarity: 0.5, anchors: ['why', 'how'] },
    ]);
  return retrievalResult([other]);
}

/** A folder with the golden file above, a Redis, and `quire eval` run in them. */
export async function evalFixture() {
  const cwd = await mkdtemp(join(tmpdir(), 'quire-eval-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const redisUrl = await testRedisUrl();
  const writeGolden = (questions: readonly object[]) =>
    writeFile(
      join(cwd, 'golden.jsonl'),
      questions.map((question) => `${JSON.stringify(question)}\n`).join(''),
    );
  await writeGolden(golden);
  const readReport = async (name = 'quire-eval.json') =>
    JSON.parse(await readFile(join(cwd, name), 'utf8')) as EvalReport & { golden: string; at: string };
  const runEval = (
    args: string[] = [],
    changes: { url?: string; signal?: AbortSignal; isLive?: boolean } = {},
  ) => {
    const { url = redisUrl, signal = new AbortController().signal, isLive = false } = changes;
    return runQuire(['eval', 'golden.jsonl', ...args], { env: { REDIS_URL: url }, cwd, signal, isLive });
  };
  return { cwd, redisUrl, writeGolden, readReport, runEval };
}

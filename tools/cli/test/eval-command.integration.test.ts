import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobPayload } from '@quire/shared/jobs';
import { beforeEach, expect, it } from 'vitest';
import { answer, evalFixture } from './eval-fixture.js';
import { startScriptedRetrieval } from './scripted-retrieval.js';

let fixture: Awaited<ReturnType<typeof evalFixture>>;

beforeEach(async () => {
  fixture = await evalFixture();
});

it('quire eval searches in three modes without threshold and once as a chat does, prints the report and writes it', async () => {
  const asked: JobPayload<'retrieval'>[] = [];
  await startScriptedRetrieval(fixture.redisUrl, (query) => {
    asked.push(query);
    return answer(query);
  });
  const { exitCode, out, err } = await fixture.runEval();
  expect(err).toBe(`The report is in ${join(fixture.cwd, 'quire-eval.json')}\n`);
  expect(exitCode).toBe(0);

  const shapes = asked.map(({ query, mode, top_k, similarity_threshold: threshold = 'default' }) =>
    [query, mode, top_k, threshold].join(' '),
  );
  expect(shapes.filter((shape) => /^(What|Soft)/.test(shape)).sort()).toEqual([
    'Soft eggs? hybrid 5 default',
    'What is QoS? dense 10 0',
    'What is QoS? hybrid 10 0',
    'What is QoS? hybrid 5 default',
    'What is QoS? sparse 10 0',
  ]);

  const report = await fixture.readReport();
  expect(report).toMatchObject({ golden: 'golden.jsonl', top_k: 10, missed: ['par'], failed: [] });
  expect(report.modes.hybrid.all).toMatchObject({
    questions: 3,
    figures: { 'hit@1': 1 / 3, 'hit@3': 2 / 3, mrr: 0.5 },
  });
  expect(report.modes.sparse.all.figures).toMatchObject({ 'hit@10': 1 / 3 });
  expect(report.questions.find(({ id }) => id === 'mul')?.rankings.hybrid?.ranks).toEqual([null, 2]);
  expect(report.confidence).toMatchObject({
    in_scope: { should_answer: 1, levels: { high: 1, medium: 1, low: 1 } },
    out_of_scope: { insufficient_or_low: 1 },
  });

  expect(out).toMatch(/hybrid\s*│\s*3 │\s*0\.333 │\s*0\.667/);
  expect(out).toMatch(/multi_section, sparse\s*│\s*1 │\s*0\.000/);
  expect(out).toContain('in scope, should be answered: 100.0 % of 3');
  expect(out).toContain('1 in-scope question missed by the hybrid search within 10:\n  par: Why so slow?');
});

it('quire eval --json prints the written report, and nothing else, to stdout', async () => {
  await startScriptedRetrieval(fixture.redisUrl, answer);
  const { out } = await fixture.runEval(['--json', '--out', 'own.json', '--top-k', '3'], { isLive: true });
  expect(JSON.parse(out)).toEqual(await fixture.readReport('own.json'));
  expect(await fixture.readReport('own.json')).toMatchObject({ top_k: 3 });
});

it('quire eval searches no more questions at once than --concurrency allows', async () => {
  let [underWay, most] = [0, 0];
  await startScriptedRetrieval(fixture.redisUrl, async (query) => {
    most = Math.max(most, (underWay += 1));
    await sleep(20);
    underWay -= 1;
    return answer(query);
  });
  await fixture.runEval(['--concurrency', '2']);
  expect(most).toBe(2);
});

it('quire eval shows its progress on a live terminal', async () => {
  await startScriptedRetrieval(fixture.redisUrl, async (query) => {
    await sleep(50);
    return answer(query);
  });
  const { out } = await fixture.runEval(['--concurrency', '1'], { isLive: true });
  expect(out).toMatch(/\r\S+[1-9]\/13 answers\r/);
});

it('quire eval --fail-under names a figure that is lower, after the report, and ends with 1', async () => {
  await startScriptedRetrieval(fixture.redisUrl, answer);
  const { exitCode, err } = await fixture.runEval([
    '--fail-under',
    'hybrid.mrr=0.9',
    '--fail-under',
    'dense.mrr=0.5',
  ]);
  expect(exitCode).toBe(1);
  expect(err).toContain('hybrid.mrr is 0.5, below 0.9.');
  expect(err).not.toContain('dense.mrr');
  expect(await fixture.readReport()).toMatchObject({ missed: ['par'] });
});

it('quire eval --fail-under with an unknown figure ends with 2 before any search', async () => {
  expect(await fixture.runEval(['--fail-under', 'hybrid.ndgc@10=0.9'])).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('There is no figure hybrid.ndgc@10') as string,
  });
  expect(await fixture.runEval(['--fail-under', 'hybrid.mrr'])).toMatchObject({ exitCode: 2 });
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInput } from '@quire/shared/errors';
import { eventually, startTcpProxy } from '@quire/testkit';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { runEval } from '../src/eval/run-eval.js';
import { answer, evalFixture, golden } from './eval-fixture.js';
import { recordingTerminal } from './recording-terminal.js';
import { retrievalResult, startScriptedRetrieval } from './scripted-retrieval.js';

let fixture: Awaited<ReturnType<typeof evalFixture>>;

beforeEach(async () => {
  fixture = await evalFixture();
});

it.each([
  ['fails', () => Promise.reject(new InvalidInput('INVALID_REQUEST', 'Too odd')), 'Too odd'],
  [
    'is answered without embeddings',
    () => ({ ...retrievalResult([]), degraded_reason: 'embedding_unavailable' as const }),
    'degraded: embedding_unavailable',
  ],
])('quire eval reports a question that %s, counts the others and ends with 1', async (_, fail, reason) => {
  await startScriptedRetrieval(fixture.redisUrl, (query) =>
    query.query === 'Both?' ? fail() : answer(query),
  );
  const { exitCode, err } = await fixture.runEval();
  expect(exitCode).toBe(1);
  expect(err).toContain('4 answers failed');
  expect(err).toContain(`  mul (sparse): ${reason}\n`);
  expect((await fixture.readReport()).modes.hybrid.all.questions).toBe(2);
});

it('quire eval prints the reason once when every question fails', async () => {
  await startScriptedRetrieval(fixture.redisUrl, () =>
    Promise.reject(new InvalidInput('INVALID_REQUEST', 'No index')),
  );
  expect(await fixture.runEval()).toMatchObject({
    exitCode: 1,
    err: 'Not one question was answered: No index\n',
  });
});

it('quire eval names an empty index', async () => {
  await startScriptedRetrieval(fixture.redisUrl, () => retrievalResult([]));
  const { exitCode, err } = await fixture.runEval();
  expect(exitCode).toBe(1);
  expect(err).toContain('The index is empty: ingest the book first');
});

it('quire eval reports once that no worker runs, and fails when none starts', async () => {
  const terminal = recordingTerminal();
  const patience = { checkEveryMs: 50, reportAfterMs: 200, giveUpAfterMs: 3000 };
  const { signal } = new AbortController();
  const run = { file: 'golden.jsonl', topK: 10, json: false, out: 'x.json', concurrency: 8, gates: [] };
  const running = runEval(run, {
    env: { REDIS_URL: fixture.redisUrl },
    cwd: fixture.cwd,
    terminal,
    signal,
    patience,
  });
  await expect(running).rejects.toThrow('No retrieval worker has started');
  expect(terminal.output.match(/No retrieval worker is running/g)).toHaveLength(1);
});

it('quire eval goes on after an outage of Redis', async () => {
  const proxy = await startTcpProxy(fixture.redisUrl);
  onTestFinished(() => proxy.close());
  let asked = 0;
  await startScriptedRetrieval(fixture.redisUrl, async (query) => {
    asked += 1;
    await sleep(50);
    return answer(query);
  });
  const running = fixture.runEval(['--concurrency', '1'], { url: proxy.url });
  await eventually(() => expect(asked).toBeGreaterThan(1));
  await proxy.cut();
  await sleep(200);
  await proxy.restore();
  const { exitCode, err } = await running;
  expect(exitCode).toBe(0);
  expect(err).toContain('Redis is away');
});

it('an interrupted quire eval writes nothing', async () => {
  const interrupt = new AbortController();
  await startScriptedRetrieval(fixture.redisUrl, async (query) => {
    interrupt.abort();
    await sleep(50);
    return answer(query);
  });
  const { err } = await fixture.runEval([], { signal: interrupt.signal });
  expect(err).toContain('Stopped; nothing was written.');
  await expect(fixture.readReport()).rejects.toThrow('ENOENT');
});

it('quire eval prints the report before it fails to write it', async () => {
  await startScriptedRetrieval(fixture.redisUrl, answer);
  const { exitCode, out, err } = await fixture.runEval(['--out', 'no/such/folder.json']);
  expect(exitCode).toBe(1);
  expect(out).toContain('By mode');
  expect(err).toMatch(/folder\.json cannot be written/);
});

it('quire eval lists every problem of the golden file with its line, and searches nothing', async () => {
  await fixture.writeGolden([{ ...golden[0], type: 'easy' }, golden[1] ?? {}, { ...golden[1], answer: 1 }]);
  const { exitCode, err } = await fixture.runEval();
  expect(exitCode).toBe(1);
  expect(err).toMatch(/golden\.jsonl:1: type: [^]*golden\.jsonl:3: .*answer/);
});

it('quire eval ends with 1 for a golden file without questions, and with 2 for a missing one', async () => {
  await fixture.writeGolden([]);
  expect(await fixture.runEval()).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('no questions') as string,
  });
  await rm(join(fixture.cwd, 'golden.jsonl'));
  expect(await fixture.runEval()).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('does not exist') as string,
  });
});

it.each([[['--top-k', '0']], [['--concurrency', 'many']]])('quire eval %j ends with 2', async (args) => {
  expect(await fixture.runEval(args)).toMatchObject({ exitCode: 2 });
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInput } from '@quire/shared/errors';
import { eventually, startTcpProxy } from '@quire/testkit';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runEval } from '../src/eval/run-eval.js';
import { answer, evalFixture, golden } from './eval-fixture.js';
import { recordingTerminal } from './recording-terminal.js';
import { retrievalResult, startScriptedRetrieval } from './scripted-retrieval.js';

let fixture: Awaited<ReturnType<typeof evalFixture>>;

beforeEach(async () => {
  fixture = await evalFixture();
});

describe('when something is wrong', () => {
  test.each([
    ['fails', () => Promise.reject(new InvalidInput('INVALID_REQUEST', 'Too odd')), 'Too odd'],
    [
      'is answered without embeddings',
      () => ({ ...retrievalResult([]), degraded_reason: 'embedding_unavailable' as const }),
      'degraded: embedding_unavailable',
    ],
  ])('a question that %s is reported, the others count, and the end is 1', async (_, fail, reason) => {
    await startScriptedRetrieval(fixture.redisUrl, (query) =>
      query.query === 'Both?' ? fail() : answer(query),
    );
    const { exitCode, err } = await fixture.runEval();
    expect(exitCode).toBe(1);
    expect(err).toContain('4 answers failed');
    expect(err).toContain(`  mul (sparse): ${reason}\n`);
    expect((await fixture.readReport()).modes.hybrid.all.questions).toBe(2);
  });

  test('with every question failing, the reason is told once', async () => {
    await startScriptedRetrieval(fixture.redisUrl, () =>
      Promise.reject(new InvalidInput('INVALID_REQUEST', 'No index')),
    );
    expect(await fixture.runEval()).toMatchObject({
      exitCode: 1,
      err: 'Not one question was answered: No index\n',
    });
  });

  test('an empty index is told as such', async () => {
    await startScriptedRetrieval(fixture.redisUrl, () => retrievalResult([]));
    const { exitCode, err } = await fixture.runEval();
    expect(exitCode).toBe(1);
    expect(err).toContain('The index is empty: ingest the book first');
  });

  test('says so when no worker runs, and gives up in the end', async () => {
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

  test('goes on when Redis was away for a while', async () => {
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

  test('stops when interrupted, and writes nothing', async () => {
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

  test('a report that cannot be written is told after it was printed', async () => {
    await startScriptedRetrieval(fixture.redisUrl, answer);
    const { exitCode, out, err } = await fixture.runEval(['--out', 'no/such/folder.json']);
    expect(exitCode).toBe(1);
    expect(out).toContain('By mode');
    expect(err).toMatch(/folder\.json cannot be written/);
  });

  test('every problem of the golden file is told with its line, and nothing is asked', async () => {
    await fixture.writeGolden([{ ...golden[0], type: 'easy' }, golden[1] ?? {}, { ...golden[1], answer: 1 }]);
    const { exitCode, err } = await fixture.runEval();
    expect(exitCode).toBe(1);
    expect(err).toMatch(/golden\.jsonl:1: type: [^]*golden\.jsonl:3: .*answer/);
  });

  test('a golden file without questions ends with 1, one that does not exist with 2', async () => {
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

  test.each([[['--top-k', '0']], [['--concurrency', 'many']]])('%j ends with 2', async (args) => {
    expect(await fixture.runEval(args)).toMatchObject({ exitCode: 2 });
  });
});

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatResponseSchema } from '@quire/shared/contracts';
import { collectEvents, eventually } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { repoRoot } from './quire-processes.js';

const START_LIMIT_MS = 240_000;

let dataDir: string;
let stack: ChildProcess | undefined;
let output = '';
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quire-start-'));
});
afterEach(() => stop());
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs it as a newcomer would: no store, no key, only a folder for the data. */
async function start(): Promise<void> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], QUIRE_DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['scripts/start.mjs', '--agents', '2'], { cwd: repoRoot, env });
  stack = child;
  output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  await eventually(
    () => {
      if (!output.includes('Ctrl-C stops everything')) throw new Error(`not ready:\n${output}`);
    },
    { timeoutMs: START_LIMIT_MS },
  );
}

async function stop(): Promise<void> {
  if (!stack || stack.exitCode !== null) return;
  const exited = once(stack, 'exit');
  stack.kill('SIGINT');
  await exited;
}

/** The supervisor and all its child processes. */
function processTree(root: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const tree = [root];
  for (const pid of tree)
    tree.push(...parents.filter(([, ppid]) => ppid === pid).map(([child]) => child ?? 0));
  return tree;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The request of a printed curl command. */
function printedRequest(path: string): Promise<Response> {
  const [, url, body] = new RegExp(`curl \\S+ (\\S+${path}) .* -d '(.*)'`).exec(output) ?? [];
  return fetch(url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body ?? '',
  });
}

it('npm start works on an empty folder, answers the requests it prints from the sample book, and leaves no process behind', async () => {
  await start();
  expect(output).toContain('ingesting the sample book');

  const response = chatResponseSchema.parse(await (await printedRequest('/chat')).json());
  expect(response.metadata.mode).toBe('retrieval_only');
  expect(response.sources.length).toBeGreaterThan(0);
  expect(response.sources[0]).toMatchObject({
    source_url: expect.stringMatching(/^https:\/\/physical-ai\.example\/docs\/ros2\//),
  });

  const events = await collectEvents(await printedRequest('/chat/stream'));
  expect(events.at(-1)?.event).toBe('completed');

  const tree = processTree(stack?.pid ?? 0);
  expect(tree.length).toBeGreaterThanOrEqual(8);
  await stop();
  expect(stack?.exitCode).toBe(0);
  await eventually(() => expect(tree.filter(isAlive)).toEqual([]));
});

it('a second npm start ingests nothing and returns the same answer', async () => {
  await start();
  expect(output).not.toContain('ingesting the sample book');
  const response = chatResponseSchema.parse(await (await printedRequest('/chat')).json());
  expect(response.sources.length).toBeGreaterThan(0);
});

import { existsSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@quire/testkit';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { commandLine, processIdentity } from '../src/processes/process-identity.js';
import { pidsIn, Program, untilGone } from './program.js';

interface FakeService {
  name: string;
  env?: Record<string, string>;
}

const POLICY = {
  firstDelayMs: 100,
  longestDelayMs: 400,
  quickCrashMs: 10_000,
  quickCrashes: 3,
  healthyAfterMs: 60_000,
};
/** What a service has to stop; after it, it is killed in any case. */
const SERVICE_GRACE_MS = 12_000;
const TWO = [{ name: 'one' }, { name: 'two' }];

let dataDir: string;
let stack: Program | undefined;
let started: number[];

beforeEach(async () => {
  started = [];
  dataDir = await mkdtemp(join(tmpdir(), 'quire-supervisor-'));
  await chmod(dataDir, 0o755);
});

afterEach(async () => {
  stack?.child.kill('SIGKILL');
  await stack?.exit;
  await untilGone(everyPid());
  await rm(dataDir, { recursive: true, force: true });
});

it('the supervisor starts a crashed service again, each time later', async () => {
  const slow = { ...POLICY, quickCrashMs: 0 };
  stack = run([{ name: 'frail', env: { FAKE_CRASH_AFTER_MS: '0' } }, { name: 'sound' }], { policy: slow });
  await stack.prints('starting it again in 100 ms');
  await stack.prints('starting it again in 200 ms');
  await stack.prints('starting it again in 400 ms');
  expect(pidsIn(join(dataDir, 'pids'), 'sound')).toHaveLength(1);
});

it('the supervisor stops everything after three quick crashes and shows the last lines', async () => {
  stack = run([{ name: 'frail', env: { FAKE_CRASH_AFTER_MS: '50' } }, { name: 'sound' }]);
  expect(await stack.exit).toEqual({ code: 1, signal: null });
  expect(stack.output).toContain('frail ended with code 3, the last of 3 quick crashes');
  expect(stack.output).toMatch(/quick crashes; its last lines:\n(.*\n)*frail: frail gives up the ghost/);
  expect(pidsIn(join(dataDir, 'pids'), 'frail')).toHaveLength(3);
  await expectNothingLeft();
});

it('the supervisor stops everything when a store dies, and shows its last lines', async () => {
  stack = run(TWO);
  const [, redis] = await stack.prints(/up (\d+)/);
  await untilUp();
  process.kill(Number(redis), 'SIGKILL');
  expect(await stack.exit).toEqual({ code: 1, signal: null });
  expect(stack.output).toContain('redis was ended by SIGKILL; its last lines:');
  expect(stack.output).toContain('Ready to accept connections');
  await expectNothingLeft();
});

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'the supervisor leaves no process after %s and exits with 0',
  async (signal) => {
    stack = run(TWO);
    await untilUp();
    stack.child.kill(signal);
    expect(await stack.exit).toEqual({ code: 0, signal: null });
    await expectNothingLeft();
  },
);

it('the supervisor keeps stores running until the last service is gone', async () => {
  const stopFile = join(dataDir, 'stop');
  stack = run([{ name: 'slow', env: { FAKE_STOP_FILE: stopFile } }]);
  await untilUp(1);
  const [, redis] = await stack.prints(/up (\d+)/);
  const [service = 0] = pidsIn(join(dataDir, 'pids'));
  stack.child.kill('SIGTERM');
  await eventually(() => expect(existsSync(`${stopFile}.awaited`)).toBe(true));
  await sleep(300);
  expect([service, Number(redis)].map(isRunning)).toEqual([true, true]);
  writeFileSync(stopFile, '');
  expect(await stack.exit).toEqual({ code: 0, signal: null });
});

it('the supervisor leaves no process when it is killed', async () => {
  stack = run(TWO);
  await untilUp();
  stack.child.kill('SIGKILL');
  await stack.exit;
  await expectNothingLeft();
  await eventually(async () => expect(await readdir(join(dataDir, 'run'))).toEqual([]));
});

it('the supervisor leaves no process when its reaper was killed before it', async () => {
  stack = run(TWO);
  await untilUp();
  const reaper = () => stack?.children().find((pid) => commandLine(pid)?.includes('reaper.js'));
  const killed = reaper() ?? 0;
  process.kill(killed, 'SIGKILL');
  started.push(await eventually(() => successorOf(killed, reaper())));
  // The process exists a moment before it receives what to watch.
  await sleep(500);
  stack.child.kill('SIGKILL');
  await stack.exit;
  await expectNothingLeft();
});

it('the supervisor stops everything when it crashes itself', async () => {
  stack = run(TWO, { crash: true });
  expect(await stack.exit).toEqual({ code: 1, signal: null });
  expect(stack.output).toContain('undefinedFunction is not defined');
  await expectNothingLeft();
});

it('the supervisor counts one Ctrl-C that arrives twice as one, and kills on a second one', async () => {
  stack = run([{ name: 'stubborn', env: { FAKE_STUBBORN: '1' } }]);
  await untilUp(1);
  const asked = Date.now();
  stack.child.kill('SIGINT');
  stack.child.kill('SIGINT');
  await stack.prints('Stopping');
  await sleep(700);
  expect(everyPid().some(isRunning)).toBe(true);
  stack.child.kill('SIGINT');
  await stack.exit;
  expect(Date.now() - asked).toBeLessThan(SERVICE_GRACE_MS);
  await expectNothingLeft();
});

it('the supervisor stops cleanly when the signal comes while the stores are starting', async () => {
  stack = run(TWO);
  await eventually(async () => expect(await readdir(join(dataDir, 'run'))).toContain('redis.process.json'));
  stack.child.kill('SIGTERM');
  expect(await stack.exit).toEqual({ code: 0, signal: null });
  await expectNothingLeft();
});

function run(services: FakeService[], more: object = {}): Program {
  const plan = { dataDir, binDir: inject('quireStores').binDir, services, policy: POLICY, ...more };
  return new Program('run-supervisor.mjs', [JSON.stringify(plan)]);
}

async function untilUp(services = 2): Promise<void> {
  await stack?.prints(/up \d+/);
  await eventually(() => expect(pidsIn(join(dataDir, 'pids'))).toHaveLength(services));
  started.push(...(stack?.children() ?? []));
  // The services, Redis and the reaper.
  expect(started).toHaveLength(services + 2);
}

function everyPid(): number[] {
  const folder = join(dataDir, 'pids');
  return [...started, ...(existsSync(folder) ? pidsIn(folder) : [])];
}

async function expectNothingLeft(): Promise<void> {
  await untilGone(everyPid());
}

function successorOf(killed: number, reaper: number | undefined): number {
  if (reaper === undefined || reaper === killed) throw new Error('the reaper was not replaced');
  return reaper;
}

function isRunning(pid: number): boolean {
  return processIdentity(pid) !== undefined;
}

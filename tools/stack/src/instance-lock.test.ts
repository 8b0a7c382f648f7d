import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireInstanceLock } from './instance-lock.js';
import { processIdentity } from './processes/process-identity.js';

let runDir: string;
beforeEach(() => void (runDir = mkdtempSync(join(tmpdir(), 'quire-lock-'))));
afterEach(() => rmSync(runDir, { recursive: true, force: true }));

it('the instance lock names its process and address to a second start', () => {
  const lock = acquireInstanceLock(runDir);
  expect(() => acquireInstanceLock(runDir)).toThrow(`(process ${process.pid}, still starting)`);
  lock.announce('http://127.0.0.1:8787');
  expect(() => acquireInstanceLock(runDir)).toThrow(`(process ${process.pid} at http://127.0.0.1:8787)`);
  lock.release();
});

it('the instance lock leaves nothing behind when it is released', () => {
  acquireInstanceLock(runDir).release();
  expect(existsSync(file())).toBe(false);
  acquireInstanceLock(runDir).release();
});

it.each([
  ['a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, identity: 'x' })],
  [
    'a process whose pid belongs to another process now',
    JSON.stringify({ pid: process.pid, identity: 'another start' }),
  ],
  ['no process, since it is half-written', '{"pid":'],
])('the instance lock is taken over from %s', (_, content) => {
  writeFileSync(file(), content);
  const lock = acquireInstanceLock(runDir);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    pid: process.pid,
    identity: processIdentity(process.pid),
  });
  lock.release();
});

function file(): string {
  return join(runDir, 'stack.lock');
}

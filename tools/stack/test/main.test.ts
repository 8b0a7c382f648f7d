import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../dist/main.js');

it.each([
  [['--agents', '0'], "--agents takes a number from 1 to 64, not '0'"],
  [['--retrievers', 'many'], "--retrievers takes a number from 1 to 64, not 'many'"],
  [['--agent', '2'], "Unknown option '--agent'"],
  [['extra'], "Unexpected argument 'extra'"],
])('the command line of npm start refuses %j with the usage and code 2', (args, message) => {
  const { status, stderr } = run(args);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain('Usage: npm start');
});

it('the command line of npm start prints the usage for --help', () => {
  const { status, stdout } = run(['--help']);
  expect(status).toBe(0);
  expect(stdout).toContain('--retrievers N');
});

function run(args: string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { REPOSITORY } from '../repository.js';

const KEEP_LINES = 40;

/** A Node process of the product, run from its build. */
export interface NodeProcess {
  readonly pid: number;
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>;
  /** The first line of its standard output that passes; rejects when the process ends before. */
  firstLine(passes: (line: string) => boolean): Promise<string>;
  /** The outcome of the work; rejects when the process ends before. */
  whileRunning<T>(work: Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export interface NodeProcessOptions {
  env?: Record<string, string>;
  /** Keeps the whole output; by default only the last lines, since a service prints without end. */
  keepOutput?: boolean;
}

const running = new Set<ChildProcess>();
// The stack's reaper ends the stores only.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function spawnNode(
  script: string,
  args: readonly string[],
  { env = {}, keepOutput = false }: NodeProcessOptions = {},
): NodeProcess {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: REPOSITORY,
    // A bare environment: the user's keys and settings would change the measurement.
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let lines: string[] = [];
  const errors: string[] = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => {
    lines.push(line);
    if (!keepOutput) lines = lines.slice(-KEEP_LINES);
  });
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    running.delete(child);
    return { code: code ?? null, output: lines.join('\n'), errors: errors.join('\n') };
  });
  const endedEarly = ended.then((end): never => {
    throw new Error(`${script} has ended:\n${end.output}\n${end.errors}`);
  });
  // A stop is expected: without a waiting promise the rejection is ignored.
  endedEarly.catch(() => {});
  return {
    pid: child.pid ?? 0,
    ended,
    whileRunning: (work) => Promise.race([work, endedEarly]),
    firstLine(passes) {
      const found = new Promise<string>((resolve) => {
        const listener = (line: string) => {
          if (!passes(line)) return;
          output.off('line', listener);
          resolve(line);
        };
        output.on('line', listener);
      });
      return Promise.race([found, endedEarly]);
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@quire/testkit';
import { processIdentity } from '../src/processes/process-identity.js';

const FIXTURES = join(import.meta.dirname, 'fixtures');

/** A fixture in a separate process, with its output. */
export class Program {
  readonly child: ChildProcess;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  output = '';

  constructor(fixture: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(process.execPath, [join(FIXTURES, fixture), ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data: Buffer) => (this.output += data.toString()));
    }
    this.exit = once(this.child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Everything it started itself, its reaper included. */
  children(): number[] {
    const list = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8');
    return list.trim().split(' ').filter(Boolean).map(Number);
  }

  async prints(text: string | RegExp): Promise<RegExpExecArray> {
    const pattern = typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;
    return await eventually(() => {
      const found = pattern.exec(this.output);
      if (found) return found;
      throw new Error(`not printed: ${pattern}\n${this.output}`);
    });
  }
}

/** The pids that fake services left in a folder. */
export function pidsIn(folder: string, name = ''): number[] {
  return readdirSync(folder)
    .filter((file) => file.startsWith(name))
    .map((file) => Number(file.split('.').at(-1)));
}

export async function untilGone(pids: readonly number[]): Promise<void> {
  await eventually(() => {
    const alive = pids.filter((pid) => processIdentity(pid) !== undefined);
    if (alive.length > 0) throw new Error(`still running: ${alive.join(', ')}`);
  });
}

import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { endProcess, killGroup, sendSignal } from './end-process.js';
import { forgetProcess, keepAtEnd, removeAtEnd, watchProcess } from './process-guard.js';
import { processIdentity } from './process-identity.js';
import { recordProcess } from './process-record.js';
import type { ProcessRole, WatchedProcess } from './reaper-message.js';
import { forEachLine, RecentLines } from './recent-lines.js';

export interface ProcessSpec {
  label: string;
  role: ProcessRole;
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  runDir: string;
  stopSignal?: NodeJS.Signals;
  graceMs?: number;
  user?: { uid: number; gid: number } | undefined;
  /** Written to the process's stdin, which is then closed: secrets here do not show in `ps`. */
  input?: string | undefined;
  onLine?: ((line: string) => void) | undefined;
  /** `inherit`: prints to the terminal of this process, e.g. to draw progress. */
  output?: 'lines' | 'inherit';
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child in its own process group that cannot outlive this process, whatever ends it. */
export interface GuardedProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  lastLines(): string[];
  /** Stops it gracefully, or by force after its grace period. Idempotent. */
  end(): Promise<void>;
  /** Sends a signal; SIGKILL goes to the whole group. Resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Rejects when the program cannot be started at all. */
export async function spawnGuarded(spec: ProcessSpec): Promise<GuardedProcess> {
  const output = spec.output === 'inherit' ? 'inherit' : 'pipe';
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    // In a group of its own: Ctrl-C reaches this process alone, which stops services before stores.
    detached: true,
    stdio: [spec.input === undefined ? 'ignore' : 'pipe', output, output],
    ...(spec.user ? { uid: spec.user.uid, gid: spec.user.gid } : {}),
  });
  const { pid } = child;
  if (pid === undefined) {
    throw await new Promise<Error>((resolve) => void child.once('error', resolve));
  }
  const target: WatchedProcess = {
    pid,
    role: spec.role,
    identity: processIdentity(pid) ?? 'gone',
    stopSignal: spec.stopSignal ?? 'SIGTERM',
    graceMs: spec.graceMs ?? 10_000,
  };
  watchProcess(target);
  const record = recordProcess(spec.runDir, spec.label, target);
  removeAtEnd(record, `"pid":${pid},`);

  const recent = new RecentLines();
  for (const stream of [child.stdout, child.stderr]) {
    forEachLine(stream, (line) => {
      recent.add(line);
      spec.onLine?.(line);
    });
  }
  child.stdin?.on('error', () => {});
  child.stdin?.end(spec.input);

  const exited = exitOf(child).then((exit) => {
    forgetProcess(pid);
    rmSync(record, { force: true });
    keepAtEnd(record);
    return exit;
  });
  let ending: Promise<void> | undefined;
  return {
    pid,
    exited,
    lastLines: () => recent.all(),
    end: () => (ending ??= endProcess(target).then(async () => void (await exited))),
    async kill(signal = 'SIGKILL') {
      if (processIdentity(pid) === target.identity) {
        if (signal === 'SIGKILL') killGroup(pid);
        else sendSignal(pid, signal);
      }
      await exited;
    },
  };
}

/** Waits for the last lines as well, but not forever: a grandchild may have inherited the pipes. */
function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
      setTimeout(() => resolve({ code, signal }), 2_000).unref();
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

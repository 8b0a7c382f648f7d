import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A string that no other process shares: pids are recycled, a pid with its start time is not.
 * `undefined` when the process does not exist or is a zombie that its parent has not reaped yet.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

export function isSameProcess(pid: number, identity: string | undefined): boolean {
  const current = processIdentity(pid);
  return current !== undefined && (identity === undefined || current === identity);
}

/** The full command line of a live process, or `undefined` when there is none. */
export function commandLine(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') return ps(pid, 'command=') || undefined;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || undefined;
  } catch {
    return undefined;
  }
}

export function parentOf(pid: number): number | undefined {
  try {
    const parent = process.platform === 'linux' ? statFields(pid)[1] : ps(pid, 'ppid=');
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function identityFromProc(pid: number): string | undefined {
  try {
    const fields = statFields(pid);
    const [state, startTime] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || startTime === undefined) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTime}`;
  } catch {
    return undefined;
  }
}

/** State, parent and what follows in proc(5); the command name before them may hold spaces and brackets. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function identityFromPs(pid: number): string | undefined {
  try {
    const line = ps(pid, 'state=,lstart=');
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}

function ps(pid: number, format: string): string {
  return execFileSync('ps', ['-o', format, '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

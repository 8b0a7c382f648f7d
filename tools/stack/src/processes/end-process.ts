import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess } from './process-identity.js';

const POLL_MS = 25;

export interface ProcessToEnd {
  pid: number;
  /** From `processIdentity`; without it any process with this pid is ended. */
  identity?: string | undefined;
  stopSignal: NodeJS.Signals;
  graceMs: number;
}

/** Asks a process to stop, waits for the grace period, then kills its whole group. Resolves when it is gone. */
export async function endProcess(target: ProcessToEnd): Promise<void> {
  if (!isSameProcess(target.pid, target.identity)) return;
  sendSignal(target.pid, target.stopSignal);
  const deadline = Date.now() + target.graceMs;
  while (isSameProcess(target.pid, target.identity) && Date.now() < deadline) await sleep(POLL_MS);
  killGroup(target.pid);
  while (isSameProcess(target.pid, target.identity)) await sleep(POLL_MS);
}

/** Started processes lead their own groups, so this ends their children as well. */
export function killGroup(pid: number): void {
  sendSignal(-pid, 'SIGKILL');
  sendSignal(pid, 'SIGKILL');
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone already; macOS says EPERM for a group of which only zombies are left.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepAtEnd, removeAtEnd } from './processes/process-guard.js';
import { isSameProcess, processIdentity } from './processes/process-identity.js';
import { StackError } from './stack-error.js';

interface Holder {
  pid: number;
  identity: string | undefined;
  url?: string;
}

export interface InstanceLock {
  /** Records the gateway's address, which a refused second start prints. */
  announce(url: string): void;
  release(): void;
}

/** One stack per data folder. The lock of a process that is gone is taken over. */
export function acquireInstanceLock(runDir: string): InstanceLock {
  const file = join(runDir, 'stack.lock');
  const own: Holder = { pid: process.pid, identity: processIdentity(process.pid) };
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(runDir, { recursive: true });
    writeFileSync(draft, JSON.stringify(own));
  } catch (error) {
    throw new StackError(
      `cannot write to ${runDir}: ${(error as Error).message}`,
      'Make the data folder one that you may write to, or set QUIRE_DATA_DIR to another one.',
      { cause: error },
    );
  }
  try {
    while (!link(draft, file)) refuseOrClear(file);
  } finally {
    rmSync(draft, { force: true });
  }
  removeAtEnd(file, `"pid":${process.pid},`);
  return {
    announce(url) {
      writeFileSync(draft, JSON.stringify({ ...own, url }));
      renameSync(draft, file);
    },
    release() {
      rmSync(file, { force: true });
      keepAtEnd(file);
    },
  };
}

function refuseOrClear(file: string): void {
  const holder = read(file);
  if (holder && isSameProcess(holder.pid, holder.identity)) {
    const where = holder.url ? ` at ${holder.url}` : ', still starting';
    throw new StackError(
      `Quire already runs from this folder (process ${holder.pid}${where})`,
      `Stop it with Ctrl-C in its terminal or \`kill ${holder.pid}\`, or set QUIRE_DATA_DIR to run a second one.`,
    );
  }
  // Moved away rather than removed: only one of two starters can move it.
  const grave = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, grave);
  } catch {
    return;
  }
  const moved = read(grave);
  if (moved && isSameProcess(moved.pid, moved.identity)) link(grave, file);
  rmSync(grave, { force: true });
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { DoomedPath, ReaperMessage, WatchedProcess } from './reaper-message.js';

/** Tests run this file from `src`, but a plain Node process can only run the build. */
const REAPER = fileURLToPath(new URL('./reaper.js', import.meta.url)).replace(
  /src(?=.processes.reaper\.js$)/,
  'dist',
);

const REPLACE_AFTER_MS = 200;

const watched = new Map<number, WatchedProcess>();
const doomedPaths = new Map<string, DoomedPath>();
let reaper: ChildProcess | undefined;

/** The reaper ends a watched process when this one is gone, even after SIGKILL. */
export function watchProcess(process: WatchedProcess): void {
  watched.set(process.pid, process);
  tell({ type: 'watch', process });
}

export function forgetProcess(pid: number): void {
  if (watched.delete(pid)) tell({ type: 'forget', pid });
}

/** The reaper removes the path when this process is gone; with `holding` only if the file still holds that text. */
export function removeAtEnd(path: string, holding?: string): void {
  const doomed = { path, ...(holding === undefined ? {} : { holding }) };
  doomedPaths.set(path, doomed);
  tell({ type: 'remove-at-end', doomed });
}

export function keepAtEnd(path: string): void {
  if (doomedPaths.delete(path)) tell({ type: 'keep', path });
}

function tell(message: ReaperMessage): void {
  if (reaper) send(message);
  else startReaper();
}

function send(message: ReaperMessage): void {
  reaper?.stdin?.write(`${JSON.stringify(message)}\n`);
}

/** Starts a reaper and sends it all watched processes and paths. */
function startReaper(): void {
  const child = spawn(process.execPath, [REAPER], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  reaper = child;
  child.stdin?.on('error', () => {});
  child.once('error', replaceReaper);
  child.once('exit', replaceReaper);
  child.unref();
  (child.stdin as Socket | null)?.unref();
  for (const process of watched.values()) send({ type: 'watch', process });
  for (const doomed of doomedPaths.values()) send({ type: 'remove-at-end', doomed });
}

/** Replaces a killed reaper, after a pause in case that it cannot run at all. */
function replaceReaper(): void {
  setTimeout(() => {
    reaper = undefined;
    if (watched.size + doomedPaths.size > 0) startReaper();
  }, REPLACE_AFTER_MS).unref();
}

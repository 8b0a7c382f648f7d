import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endProcess } from './end-process.js';
import type { DoomedPath, ProcessRole, ReaperMessage, WatchedProcess } from './reaper-message.js';

/**
 * A separate process that survives a SIGKILL of its parent: its stdin closes with the parent, and it then ends all
 * watched processes. It loads only Node's own modules, so that it starts in milliseconds.
 */
const watched = new Map<number, WatchedProcess>();
const doomedPaths = new Map<string, DoomedPath>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const message = parse(line);
  if (message) receive(message);
}

await endAll('service');
await endAll('store');
for (const doomed of doomedPaths.values()) remove(doomed);

/** The last line may be cut off, since its writer was killed. */
function parse(line: string): ReaperMessage | undefined {
  try {
    return JSON.parse(line) as ReaperMessage;
  } catch {
    return undefined;
  }
}

function receive(message: ReaperMessage): void {
  switch (message.type) {
    case 'watch':
      watched.set(message.process.pid, message.process);
      return;
    case 'forget':
      watched.delete(message.pid);
      return;
    case 'remove-at-end':
      doomedPaths.set(message.doomed.path, message.doomed);
      return;
    case 'keep':
      doomedPaths.delete(message.path);
      return;
  }
}

async function endAll(role: ProcessRole): Promise<void> {
  const targets = [...watched.values()].filter((target) => target.role === role);
  await Promise.allSettled(targets.map((target) => endProcess(target)));
}

function remove({ path, holding }: DoomedPath): void {
  try {
    if (holding === undefined || readFileSync(path, 'utf8').includes(holding)) {
      rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  } catch {
    // Gone already.
  }
}

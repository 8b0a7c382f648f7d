import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepAtEnd, removeAtEnd } from '@quire/stack/stores';
import { note } from '../note.js';
import { isClean, type ChaosReport } from './report.js';

/** A folder for logs that is kept, and printed, only if there are findings. */
export async function keepingLogs(
  signal: AbortSignal | undefined,
  run: (logFolder: string) => Promise<ChaosReport>,
): Promise<ChaosReport> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-chaos-logs-'));
  removeAtEnd(folder);
  let isNeeded = true;
  try {
    const report = await run(folder);
    isNeeded = !isClean(report);
    return report;
  } finally {
    if (isNeeded && !signal?.aborted) note(`The logs of the services are in ${folder}`);
    else await rm(folder, { recursive: true, force: true });
    keepAtEnd(folder);
  }
}

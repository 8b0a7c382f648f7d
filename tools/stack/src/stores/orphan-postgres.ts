import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess } from '../processes/end-process.js';
import { commandLine, processIdentity } from '../processes/process-identity.js';

/**
 * Ends a Postgres that a killed parent left running on this cluster. A postmaster.pid whose number now belongs to
 * another program is removed, since Postgres would refuse to start; Postgres itself removes one of a dead process.
 */
export async function endOrphanPostgres(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const content = await readFile(file, 'utf8').catch(() => '');
  const pid = Number(content.split('\n', 1)[0]);
  const identity = Number.isInteger(pid) && pid > 0 ? processIdentity(pid) : undefined;
  if (identity === undefined) return;
  if (isPostgresOf(cluster, pid)) await endProcess({ pid, identity, stopSignal: 'SIGINT', graceMs: 10_000 });
  else await rm(file, { force: true });
}

function isPostgresOf(cluster: string, pid: number): boolean {
  const command = commandLine(pid);
  return command !== undefined && command.includes('postgres') && command.includes(cluster);
}

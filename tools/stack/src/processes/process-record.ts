import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from './end-process.js';
import { isSameProcess } from './process-identity.js';
import type { WatchedProcess } from './reaper-message.js';

/**
 * Writes a file per running process to `<dataDir>/run`, so that the next start finds processes that a previous one left
 * behind, for example when its reaper was killed too.
 */
export function recordProcess(runDir: string, label: string, process: WatchedProcess): string {
  mkdirSync(runDir, { recursive: true });
  const file = join(runDir, `${label}.process.json`);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(process));
  renameSync(temporary, file);
  return file;
}

/** Ends recorded processes that still run, services before stores; removes the records and returns their number. */
export async function endLeftovers(runDir: string, label?: string): Promise<number> {
  const records = recordFiles(runDir)
    .filter((name) => label === undefined || name === `${label}.process.json`)
    .map((name) => join(runDir, name));
  const leftovers = records.map(readRecord).filter((record) => record !== undefined);
  for (const role of ['service', 'store'] as const) {
    await Promise.all(leftovers.filter((record) => record.role === role).map((record) => endProcess(record)));
  }
  for (const file of records) rmSync(file, { force: true });
  return leftovers.length;
}

function recordFiles(runDir: string): string[] {
  try {
    return readdirSync(runDir).filter((name) => name.endsWith('.process.json'));
  } catch {
    return [];
  }
}

function readRecord(file: string): WatchedProcess | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as WatchedProcess;
    // With another identity the pid belongs to another process by now.
    return record.identity && isSameProcess(record.pid, record.identity) ? record : undefined;
  } catch {
    return undefined;
  }
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { commandLine, processIdentity } from '../src/processes/process-identity.js';
import { startPostgres } from '../src/stores/index.js';
import { Program, untilGone } from './program.js';
import { temporaryFolder } from './temporary-folder.js';

it('an orphaned Postgres that postmaster.pid names is ended before Postgres starts on its data', async () => {
  const dataDir = temporaryFolder();
  const orphan = await orphanPostgres(dataDir);
  const store = await startPostgres({ dataDir, ...common() });
  expect(processIdentity(orphan)).toBeUndefined();
  await store.stop();
});

it('a postmaster.pid whose number now belongs to another program does not prevent a start of Postgres', async () => {
  const dataDir = temporaryFolder();
  await startPostgres({ dataDir, ...common() }).then((store) => store.stop());
  const file = join(dataDir, 'postgres/data/postmaster.pid');
  writeFileSync(
    file,
    [process.pid, join(dataDir, 'postgres/data'), '1700000000', '5432', '', '', ''].join('\n'),
  );
  const store = await startPostgres({ dataDir, ...common() });
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${store.pid}\n`));
  await store.stop();
});

/** A Postgres whose parent and whose parent's reaper were killed, and of which we have no record. */
async function orphanPostgres(dataDir: string): Promise<number> {
  const parent = new Program('run-postgres.mjs', [dataDir, inject('quireStores').binDir]);
  const [, pid] = await parent.prints(/up (\d+)/);
  const reapers = parent.children().filter((child) => commandLine(child)?.includes('reaper.js'));
  for (const reaper of reapers) process.kill(reaper, 'SIGKILL');
  parent.child.kill('SIGKILL');
  await untilGone([parent.pid, ...reapers]);
  rmSync(join(dataDir, 'run'), { recursive: true });
  expect(processIdentity(Number(pid))).toBeDefined();
  return Number(pid);
}

function common() {
  return { binDir: inject('quireStores').binDir, throwaway: true };
}

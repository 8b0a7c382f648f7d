import type { TestProject } from 'vitest/node';
import { StackError } from '@quire/stack/stores';
import { startSharedStores, type SharedStores } from './shared-stores.js';

interface Run {
  stores: Promise<SharedStores>;
  users: number;
}

// Every project of the run loads its own copy of this file: only the global object is common to them.
const shared = globalThis as typeof globalThis & { quireTestRun?: Run };

/** Starts the stores for the first project of a run and stops them after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const run = (shared.quireTestRun ??= { stores: startSharedStores().catch(explain), users: 0 });
  run.users += 1;
  const { provided } = await run.stores;
  project.provide('quireStores', provided);
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete shared.quireTestRun;
    await (await run.stores).stop();
  };
}

/** vitest prints only the message of an error. */
function explain(error: unknown): never {
  throw error instanceof StackError
    ? new Error(`${error.message}\n→ ${error.remedy}`, { cause: error })
    : error;
}

import { randomUUID } from 'node:crypto';
import type { Database } from '@quire/shared/database';
import { answered } from '../thread-turns.js';

const idsFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${first}-0000-4000-8000-${String(i).padStart(12, '0')}`);

/** Threads that are created by questions and deleted, again and again. */
export const THREADS = idsFrom('aaaaaaaa', 40);
/** Ended runs in threads that are never deleted. */
export const RUNS = idsFrom('bbbbbbbb', 20);
export const [FOREIGN_THREAD = '', FOREIGN_RUN = ''] = idsFrom('cccccccc', 2);

/** Fixed ids, so that a seed repeats the same requests. */
export async function storeKnown(db: Database, tenant: string): Promise<void> {
  for (const runId of RUNS) await answered(db, { runId, tenant });
  for (const threadId of THREADS) await answered(db, { threadId, tenant, runId: randomUUID() });
  await answered(db, { threadId: FOREIGN_THREAD, runId: FOREIGN_RUN, tenant: 'another tenant' });
}

import type { Metadata } from '../contracts/metadata.contract.js';
import type { Database } from './database.js';
import { isThreadOf, type ThreadOwner } from './thread-owner.js';

/**
 * Replaces a thread's metadata by what `change` returns; concurrent changes are applied one after the other. Returns false
 * if the tenant has no such thread.
 */
export async function changeMetadata(
  db: Database,
  owner: ThreadOwner,
  change: (current: Metadata) => Metadata,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const thread = await transaction
      .selectFrom('threads')
      .select(['id', 'metadata'])
      .where(isThreadOf(owner))
      .forUpdate()
      .executeTakeFirst();
    if (!thread) return false;
    const metadata = JSON.stringify(change(thread.metadata));
    await transaction.updateTable('threads').set({ metadata }).where('id', '=', thread.id).execute();
    return true;
  });
}

import type { Metadata } from '../contracts/metadata.contract.js';
import type { Database } from './database.js';
import type { ThreadOwner } from './open-thread.repository.js';

/**
 * Replaces a thread's metadata by what `change` makes of it; those who come at the same time follow each other. False
 * for a thread that the tenant does not have.
 */
export async function changeMetadata(
  db: Database,
  { threadId, tenant }: ThreadOwner,
  change: (present: Metadata) => Metadata,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const thread = await transaction
      .selectFrom('threads')
      .select('metadata')
      .where('id', '=', threadId)
      .where('tenant', '=', tenant)
      .forUpdate()
      .executeTakeFirst();
    if (!thread) return false;
    const metadata = JSON.stringify(change(thread.metadata));
    await transaction.updateTable('threads').set({ metadata }).where('id', '=', threadId).execute();
    return true;
  });
}

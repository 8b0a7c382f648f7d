import { sql } from 'kysely';
import type { Rating } from '../contracts/feedback.contract.js';
import type { Database } from './database.js';

export interface GivenFeedback {
  runId: string;
  tenant: string;
  caller: string;
  rating: Rating;
  comment: string | undefined;
}

export interface StoredFeedback {
  rating: Rating;
  comment: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Stores or replaces a caller's feedback; undefined if its tenant has no such completed run. */
export async function giveFeedback(
  db: Database,
  { runId, tenant, caller, rating, comment }: GivenFeedback,
): Promise<StoredFeedback | undefined> {
  const row = await db
    .insertInto('feedback')
    .columns(['run_id', 'tenant', 'caller', 'rating', 'comment'])
    .expression((eb) =>
      eb
        .selectFrom('runs')
        .select((run) => [
          'id',
          'tenant',
          run.val(caller).as('caller'),
          run.val(rating).as('rating'),
          sql<string | null>`${comment ?? null}::text`.as('comment'),
        ])
        .where('id', '=', runId)
        .where('tenant', '=', tenant)
        .where('state', '=', 'completed')
        // Waits for a concurrent deletion, after which there is no run.
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'caller']).doUpdateSet((eb) => ({
        rating: eb.ref('excluded.rating'),
        comment: eb.ref('excluded.comment'),
        updated_at: sql<Date>`now()`,
      })),
    )
    .returning(['rating', 'comment', 'created_at', 'updated_at'])
    .executeTakeFirst();
  return (
    row && {
      rating: row.rating,
      comment: row.comment,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  );
}

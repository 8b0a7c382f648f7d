import { sql } from 'kysely';
import type { AnswerMode } from '../contracts/chat-response.contract.js';
import type { Rating } from '../contracts/feedback.contract.js';
import type { Database } from './database.js';

export interface RatedGroup {
  up: number;
  down: number;
}

export interface FeedbackComment {
  requestId: string;
  tenant: string;
  caller: string;
  /** The newest of the caller's keys; null without authentication. */
  key: { name: string; prefix: string } | null;
  rating: Rating;
  comment: string;
  question: string;
  mode: AnswerMode;
  at: Date;
}

/** The feedback of all tenants unless one is named. */
export interface FeedbackScope {
  since: Date;
  tenant?: string | undefined;
}

const mode = sql<AnswerMode>`outcome -> 'data' -> 'metadata' ->> 'mode'`;
const day = sql<string>`to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const ratedAs = (rating: Rating) => sql<number>`count(*) FILTER (WHERE rating = ${rating})::integer`;

function inScope(db: Database, { since, tenant }: FeedbackScope) {
  return db
    .selectFrom('feedback')
    .innerJoin('runs', 'runs.id', 'feedback.run_id')
    .where('feedback.updated_at', '>=', since)
    .$if(tenant !== undefined, (query) => query.where('feedback.tenant', '=', tenant ?? ''));
}

/** Ratings by the day of their last change (UTC), oldest first. */
export function feedbackByDay(db: Database, scope: FeedbackScope): Promise<(RatedGroup & { day: string })[]> {
  return inScope(db, scope)
    .select([day.as('day'), ratedAs('up').as('up'), ratedAs('down').as('down')])
    .groupBy(day)
    .orderBy(day)
    .execute();
}

/** Ratings by the mode of the answer, most ratings first. */
export function feedbackByMode(
  db: Database,
  scope: FeedbackScope,
): Promise<(RatedGroup & { mode: AnswerMode })[]> {
  return inScope(db, scope)
    .select([mode.as('mode'), ratedAs('up').as('up'), ratedAs('down').as('down')])
    .groupBy(mode)
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(mode)
    .execute();
}

export async function newestComments(
  db: Database,
  scope: FeedbackScope,
  limit: number,
): Promise<FeedbackComment[]> {
  const rows = await inScope(db, scope)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('api_keys')
          .select(['name', 'prefix'])
          .where(sql<boolean>`caller_id::text = caller`)
          .orderBy('api_keys.created_at', 'desc')
          .limit(1)
          .as('key'),
      (join) => join.onTrue(),
    )
    .select(['run_id', 'feedback.tenant', 'caller', 'rating', 'comment', 'request', 'feedback.updated_at'])
    .select(['key.name', 'key.prefix'])
    .select(mode.as('mode'))
    .where('comment', 'is not', null)
    .orderBy('feedback.updated_at', 'desc')
    .orderBy('run_id')
    .orderBy('caller')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    requestId: row.run_id,
    tenant: row.tenant,
    caller: row.caller,
    key: row.name === null || row.prefix === null ? null : { name: row.name, prefix: row.prefix },
    rating: row.rating,
    comment: row.comment ?? '',
    question: row.request.message,
    mode: row.mode,
    at: row.updated_at,
  }));
}

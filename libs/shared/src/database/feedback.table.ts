import type { Generated } from 'kysely';
import type { Rating } from '../contracts/feedback.contract.js';

/** A caller's rating of an answer; deleted with its run. */
export interface FeedbackTable {
  run_id: string;
  tenant: string;
  /** The `caller_id` of its key, or `local` without authentication. */
  caller: string;
  rating: Rating;
  comment: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

import type { Generated } from 'kysely';
import type { Rating } from '../contracts/feedback.contract.js';

/** What a caller thinks of an answer; gone with its run. */
export interface FeedbackTable {
  run_id: string;
  tenant: string;
  /** The `caller_id` of its key, or `local` where none was asked for. */
  caller: string;
  rating: Rating;
  comment: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

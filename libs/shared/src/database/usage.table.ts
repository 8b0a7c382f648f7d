import type { Generated } from 'kysely';

/** What the calls were made for. */
export type UsagePurpose = 'answer' | 'summary';

/** What one execution of a run has spent on one model. */
export interface ModelUsageTable {
  /** Names nothing where the run was deleted, or where there was none, as with a summary. */
  run_id: string;
  attempt: number;
  model: string;
  tenant: string;
  purpose: Generated<UsagePurpose>;
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Some of the tokens were not told by the provider. */
  estimated: boolean;
  /** Null for a model without a price. */
  cost_usd: number | null;
  created_at: Generated<Date>;
}

import type { Generated } from 'kysely';

/** What one execution of a run has spent on one model. */
export interface ModelUsageTable {
  run_id: string;
  attempt: number;
  model: string;
  tenant: string;
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Some of the tokens were not told by the provider. */
  estimated: boolean;
  /** Null for a model without a price. */
  cost_usd: number | null;
  created_at: Generated<Date>;
}

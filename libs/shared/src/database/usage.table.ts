import type { Generated } from 'kysely';

/** The purpose of the calls. */
export type UsagePurpose = 'answer' | 'summary';

/** The spend of one execution of a run on one model. */
export interface ModelUsageTable {
  /** A random id if the run was deleted or there was none, as for a summary. */
  run_id: string;
  attempt: number;
  model: string;
  tenant: string;
  purpose: Generated<UsagePurpose>;
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** Whether some tokens were estimated because the provider did not report them. */
  estimated: boolean;
  /** Null for a model without a price. */
  cost_usd: number | null;
  created_at: Generated<Date>;
}

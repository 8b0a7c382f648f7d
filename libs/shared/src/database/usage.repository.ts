import { sql } from 'kysely';
import type { TokensUsed } from '../contracts/chat-response.contract.js';
import type { Database } from './database.js';
import type { Run } from './run.repository.js';
import type { UsagePurpose } from './usage.table.js';

export interface SpentOnModel {
  model: string;
  calls: number;
  tokens: TokensUsed;
  estimated: boolean;
  costUsd: number | undefined;
}

/** Stores the spend of an execution; idempotent. */
export async function recordUsage(
  db: Database,
  { id, attempt, tenant }: Pick<Run, 'id' | 'attempt' | 'tenant'>,
  spent: readonly SpentOnModel[],
  purpose: UsagePurpose = 'answer',
): Promise<void> {
  if (spent.length === 0) return;
  await db
    .insertInto('model_usage')
    .values(
      spent.map(({ model, calls, tokens, estimated, costUsd }) => ({
        run_id: id,
        attempt,
        model,
        tenant,
        purpose,
        calls,
        prompt_tokens: tokens.prompt,
        completion_tokens: tokens.completion,
        estimated,
        cost_usd: costUsd ?? null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['run_id', 'attempt', 'model']).doNothing())
    .execute();
}

/** The stored spend of a run's earlier executions; one whose worker died stored none. */
export async function spentBefore(
  db: Database,
  { id, attempt }: Pick<Run, 'id' | 'attempt'>,
): Promise<TokensUsed> {
  const { prompt, completion } = await db
    .selectFrom('model_usage')
    .select(({ fn }) => [
      fn.coalesce(fn.sum<string>('prompt_tokens'), sql<string>`0`).as('prompt'),
      fn.coalesce(fn.sum<string>('completion_tokens'), sql<string>`0`).as('completion'),
    ])
    .where('run_id', '=', id)
    .where('attempt', '<', attempt)
    .executeTakeFirstOrThrow();
  return {
    prompt: Number(prompt),
    completion: Number(completion),
    total: Number(prompt) + Number(completion),
  };
}

/** Replaces the ids of these runs in the stored spend by random ones. */
export async function unlinkUsage(db: Database, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await db
    .updateTable('model_usage')
    .set({ run_id: sql<string>`gen_random_uuid()` })
    .where(sql<boolean>`run_id = ANY(${runIds}::uuid[])`)
    .execute();
}

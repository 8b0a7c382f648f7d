import { randomUUID } from 'node:crypto';
import { beforeAll, afterAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import type { Database } from './database.js';
import { recordUsage, spentBefore } from './usage.repository.js';

let db: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close());

const spent = (model: string, prompt: number, costUsd?: number) => ({
  model,
  calls: 1,
  tokens: { prompt, completion: 5, total: prompt + 5 },
  estimated: false,
  costUsd,
});
const booked = (runId: string) =>
  db
    .selectFrom('model_usage')
    .select(['attempt', 'model', 'prompt_tokens', 'cost_usd'])
    .where('run_id', '=', runId)
    .orderBy('attempt')
    .orderBy('model')
    .execute();

it("spentBefore returns the sum of what a run's earlier executions have stored", async () => {
  const run = { id: randomUUID(), tenant: 'a', attempt: 1 };
  expect(await spentBefore(db, run)).toEqual({ prompt: 0, completion: 0, total: 0 });
  await recordUsage(db, run, [spent('first', 10), spent('second', 20)]);
  await recordUsage(db, { ...run, attempt: 2 }, [spent('first', 30)]);
  await recordUsage(db, { ...run, attempt: 3 }, [spent('first', 999)]);
  await recordUsage(db, { ...run, id: randomUUID() }, [spent('first', 999)]);
  expect(await spentBefore(db, { ...run, attempt: 3 })).toEqual({ prompt: 60, completion: 15, total: 75 });
});

it('an execution stores its spend per model once, however often it commits', async () => {
  const run = { id: randomUUID(), tenant: 'a', attempt: 1 };
  await recordUsage(db, run, [spent('first', 10, 0.5), spent('second', 20)]);
  await recordUsage(db, run, [spent('first', 999)]);
  await recordUsage(db, { ...run, attempt: 2 }, [spent('first', 30)]);
  expect(await booked(run.id)).toEqual([
    { attempt: 1, model: 'first', prompt_tokens: 10, cost_usd: 0.5 },
    { attempt: 1, model: 'second', prompt_tokens: 20, cost_usd: null },
    { attempt: 2, model: 'first', prompt_tokens: 30, cost_usd: null },
  ]);
});

it('an execution that called no model stores no spend', async () => {
  const run = { id: randomUUID(), tenant: 'a', attempt: 1 };
  await recordUsage(db, run, []);
  expect(await booked(run.id)).toEqual([]);
});

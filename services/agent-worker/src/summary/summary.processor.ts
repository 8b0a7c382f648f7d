import { ACTIVE_MESSAGES } from '@quire/shared/contracts';
import { findTopic, recentExchanges, recordUsage, saveTopic, type Database } from '@quire/shared/database';
import type { JobHandler } from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import { timeBudgets } from '@quire/shared/time';
import type { ModelPrices } from '../accounting/model-prices.js';
import { UsageMeter } from '../accounting/usage-meter.js';
import { askForLine } from '../generation/ask-for-line.js';
import type { ModelChain } from '../generation/model-chain.js';
import type { AgentMetrics } from '../metrics.js';
import { newFenceKey } from '../run/execution.js';
import { isSummaryDue } from './request-summary.js';
import { readSummary, summaryPrompt } from './topic-summary.js';

/** The attempt under which the spend is booked: a retried job books once. */
const ATTEMPT = 1;

export interface SummaryDependencies {
  db: Database;
  chain: ModelChain;
  prices: ModelPrices;
  metrics: AgentMetrics;
  logger: Logger;
}

/** Stores a topic summary for a thread; skipped if it is not due any more or no model writes one. */
export function summaryProcessor(deps: SummaryDependencies): JobHandler<'summary'> {
  const { db, chain, prices, metrics, logger } = deps;
  return async ({ thread_id, tenant, usage_id }, { signal }) => {
    const thread = { threadId: thread_id, tenant };
    const topic = await findTopic(db, thread);
    if (!topic || !isSummaryDue(topic)) return { outcome: 'skipped' };
    const history = await recentExchanges(db, thread, ACTIVE_MESSAGES / 2);
    const fenceKey = newFenceKey();
    const meter = new UsageMeter(prices);
    let summary: string | undefined;
    try {
      summary = await askForLine(chain, {
        messages: summaryPrompt(history, topic.summary, fenceKey),
        fenceKey,
        read: readSummary,
        meter,
        timeLimitMs: timeBudgets.summaryMs,
        signal,
        log: logger,
        caller: { run: usage_id, tenant },
      });
    } finally {
      metrics.spent(tenant, meter.spent);
      await recordUsage(db, { id: usage_id, tenant, attempt: ATTEMPT }, meter.spent, 'summary');
    }
    if (summary === undefined) return { outcome: 'skipped' };
    const saved = await saveTopic(db, thread, { ...topic, summary });
    return { outcome: saved ? 'summarized' : 'skipped' };
  };
}

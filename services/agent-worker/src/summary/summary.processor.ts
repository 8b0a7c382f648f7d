import { randomBytes } from 'node:crypto';
import { ACTIVE_MESSAGES } from '@quire/shared/contracts';
import {
  findTopic,
  recentExchanges,
  recordUsage,
  saveTopic,
  type Database,
  type Exchange,
} from '@quire/shared/database';
import type { JobHandler } from '@quire/shared/jobs';
import type { Logger } from '@quire/shared/logging';
import type { ModelPrices } from '../accounting/model-prices.js';
import { UsageMeter } from '../accounting/usage-meter.js';
import type { ModelChain } from '../generation/model-chain.js';
import { ModelFailure } from '../generation/model-failure.js';
import type { AgentMetrics } from '../metrics.js';
import { summaryPrompt } from '../prompt/summary-prompt.js';
import { readSummary } from './read-summary.js';
import { isSummaryDue } from './request-summary.js';

const FENCE_KEY_BYTES = 6;
const TIME_LIMIT_MS = 45_000;
/** A summary is made once, whatever is tried in its job. */
const ATTEMPT = 1;

export interface SummaryDependencies {
  db: Database;
  chain: ModelChain;
  prices: ModelPrices;
  metrics: AgentMetrics;
  logger: Logger;
}

/** Says in a line what a thread is about. Nobody waits for it: where no model can, the thread goes without. */
export function summaryProcessor(deps: SummaryDependencies): JobHandler<'summary'> {
  const { db, prices, metrics } = deps;
  return async ({ thread_id, tenant, usage_id }, { signal }) => {
    const thread = { threadId: thread_id, tenant };
    const topic = await findTopic(db, thread);
    if (!topic || !isSummaryDue(topic)) return { outcome: 'skipped' };
    const history = await recentExchanges(db, thread, ACTIVE_MESSAGES / 2);
    const meter = new UsageMeter(prices);
    let summary: string | undefined;
    try {
      summary = await summarize(deps, { history, before: topic.summary, meter, signal });
    } finally {
      metrics.spent(tenant, meter.spent);
      await recordUsage(db, { id: usage_id, tenant, attempt: ATTEMPT }, meter.spent, 'summary');
    }
    if (summary === undefined) return { outcome: 'skipped' };
    const saved = await saveTopic(db, thread, { ...topic, summary });
    return { outcome: saved ? 'summarized' : 'skipped' };
  };
}

interface Summarizing {
  history: readonly Exchange[];
  before: string | null;
  meter: UsageMeter;
  signal: AbortSignal;
}

async function summarize(
  { chain, logger }: SummaryDependencies,
  { history, before, meter, signal }: Summarizing,
): Promise<string | undefined> {
  const fenceKey = randomBytes(FENCE_KEY_BYTES).toString('hex');
  const request = { messages: summaryPrompt(history, before, fenceKey) };
  const result = await chain.run({
    async ask(model, limited) {
      let text = '';
      let isWhole = false;
      for await (const event of meter.metered(model, request, limited)) {
        if (event.type === 'text') text += event.text;
        if (event.type === 'finish') isWhole = event.reason === 'whole';
      }
      const summary = isWhole && !text.includes(fenceKey) ? readSummary(text) : undefined;
      if (summary === undefined) throw new ModelFailure('misbehaved', 'The model gave no summary');
      return summary;
    },
    hasShown: () => false,
    startOver: () => Promise.resolve(),
    until: Date.now() + TIME_LIMIT_MS,
    signal,
    log: logger,
  });
  return result.ok ? result.value : undefined;
}

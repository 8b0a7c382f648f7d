import type { ChatResponse, MarkupRemoved } from '@quire/shared/contracts';
import type { Run } from '@quire/shared/database';
import type { UsageMeter } from '../accounting/usage-meter.js';
import type { Answer } from './answer.js';

export interface ResponseParts {
  run: Run;
  /** Epoch milliseconds. */
  startedAt: number;
  meter: Pick<UsageMeter, 'total' | 'spent' | 'costUsd'>;
  answer: Answer;
  now: Date;
}

/** The response that is stored in Postgres, announced in the run log and sent to clients. */
export function buildResponse({ run, startedAt, meter, answer, now }: ResponseParts): ChatResponse {
  const acceptedAt = run.acceptedAt.getTime();
  const { costUsd } = meter;
  return {
    request_id: run.id,
    session_id: run.request.session_id,
    query: run.request.message,
    answer: answer.text,
    ...(answer.fallbackMessage !== undefined && { fallback_message: answer.fallbackMessage }),
    sources: answer.sources,
    confidence: answer.confidence,
    confidence_level: answer.confidenceLevel,
    should_answer: answer.shouldAnswer,
    timestamp: now.toISOString(),
    metadata: {
      mode: answer.mode,
      ...(answer.degradedReason !== undefined && { degraded_reason: answer.degradedReason }),
      low_confidence: answer.lowConfidence,
      ...(answer.uncited && { uncited: true }),
      ...(hasRemoved(answer.markupRemoved) && { markup_removed: answer.markupRemoved }),
      retrieval_count: answer.retrievalCount,
      model: answer.model,
      tokens_used: meter.total,
      ...(meter.spent.some(({ estimated }) => estimated) && { tokens_estimated: true }),
      ...(costUsd !== undefined && { cost_usd: costUsd }),
      timings_ms: {
        queued: Math.max(0, startedAt - acceptedAt),
        retrieval: answer.timings.retrieval,
        generation: answer.timings.generation,
        total: Math.max(0, now.getTime() - acceptedAt),
      },
      ...(answer.rewrittenQuery !== undefined && { rewritten_query: answer.rewrittenQuery }),
      attempts: run.attempt,
    },
  };
}

const hasRemoved = (removed: MarkupRemoved | undefined): removed is MarkupRemoved =>
  removed !== undefined && removed.links + removed.images + removed.html > 0;

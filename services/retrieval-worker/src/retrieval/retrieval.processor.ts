import { classifyError, DeadlineExceeded } from '@quire/shared/errors';
import { describeFailure, type JobHandler } from '@quire/shared/jobs';
import { withinTimeLimit } from '../time-limit.js';
import { searchPassages, type PassageSearch } from './search-passages.js';
import type { ReplySender } from './reply-sender.js';

export interface RetrievalProcessorParts extends PassageSearch {
  sendReply: ReplySender;
}

/** Processes a job of the `retrieval` queue and publishes the reply to the asking process. */
export function createRetrievalProcessor({
  sendReply,
  ...search
}: RetrievalProcessorParts): JobHandler<'retrieval'> {
  return async (payload, { jobId, lastTry, signal }) => {
    const log = search.logger.child({ stage: 'retrieval', request_id: payload.request_id, job_id: jobId });
    const startedAt = performance.now();
    try {
      const left = payload.deadline_at - Date.now();
      if (left <= 0) throw new DeadlineExceeded();
      const result = await withinTimeLimit(
        left,
        signal,
        (limited) => searchPassages(search, payload, limited),
        () => new DeadlineExceeded(),
      );
      await sendReply(payload.reply_to, { job_id: jobId, ok: true, result });
      for (const stage of ['embedding', 'search', 'total'] as const) {
        search.metrics.retrievalSeconds.observe({ stage }, result.timings_ms[stage] / 1000);
      }
      log.info(
        {
          latency_ms: Math.round(performance.now() - startedAt),
          result_count: result.chunks.length,
          confidence_level: result.confidence.confidence_level,
          ...(result.degraded_reason && { degraded_reason: result.degraded_reason }),
        },
        'Passages retrieved',
      );
      return result;
    } catch (error) {
      // No reply for a job that is handed back or past its deadline: the asking process reads its stored state.
      const isFinal = !signal.aborted && (lastTry || !classifyError(error).retryable);
      if (isFinal)
        await sendReply(payload.reply_to, { job_id: jobId, ok: false, reason: describeFailure(error) });
      throw error;
    }
  };
}

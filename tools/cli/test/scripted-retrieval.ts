import type { RetrievalResult } from '@quire/shared/contracts';
import { describeFailure, openWorker, type JobPayload, type JobWorker } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { announcePresence } from '@quire/shared/process';
import { awaitRedis, connectRedis, redisKeys } from '@quire/shared/redis';
import type { RetrievalReply } from '@quire/shared/retrieval';
import { onTestFinished } from 'vitest';

export interface FoundPassage {
  url: string;
  similarity: number;
  anchors?: string[];
}

const logger = createLogger('test', 'silent');

/** A result with these passages; the best similarity decides the level: 0.6 high, 0.4 medium, 0.2 low. */
export function retrievalResult(passages: readonly FoundPassage[]): RetrievalResult {
  const best = Math.max(0, ...passages.map(({ similarity }) => similarity));
  const level = best >= 0.6 ? 'high' : best >= 0.4 ? 'medium' : best >= 0.2 ? 'low' : 'insufficient';
  return {
    chunks: passages.map((passage, i) => ({
      chunk_id: `c${i}`,
      text: 'Text.',
      title: 'Title',
      chapter: 'Chapter',
      section: 'Section',
      module: 'module',
      chunk_index: i,
      char_start: 0,
      char_end: 5,
      content_hash: `h${i}`,
      ...passage,
    })),
    confidence: {
      average_similarity: best,
      min_similarity: best,
      max_similarity: best,
      lexical_score: 0.5,
      num_chunks: passages.length,
      chunk_diversity: 0,
      confidence_level: level,
      should_answer: level !== 'insufficient',
    },
    timings_ms: { embedding: 1, search: 1, total: 2 },
  };
}

/** A worker on the real queue that replies as the retrieval worker does, closed when the test ends. */
export async function startScriptedRetrieval(
  redisUrl: string,
  answer: (query: JobPayload<'retrieval'>) => RetrievalResult | Promise<RetrievalResult>,
): Promise<JobWorker> {
  const connection = connectRedis(redisUrl, 'worker', logger);
  await awaitRedis(connection, 5000);
  const reply = (to: string, message: RetrievalReply) =>
    connection.publish(redisKeys.replyChannel(to), JSON.stringify(message));
  const worker = openWorker(
    'retrieval',
    async (payload, { jobId }) => {
      try {
        const result = await answer(payload);
        await reply(payload.reply_to, { job_id: jobId, ok: true, result });
        return result;
      } catch (error) {
        await reply(payload.reply_to, { job_id: jobId, ok: false, reason: describeFailure(error) });
        throw error;
      }
    },
    { connection, concurrency: 8, logger, graceMs: 100 },
  );
  worker.start();
  const goodbye = announcePresence(connection, 'retrieval-worker');
  onTestFinished(async () => {
    await goodbye();
    await worker.close();
    connection.disconnect();
  });
  return worker;
}

import type { RetrievalResult } from '@quire/shared/contracts';
import { describeFailure, openWorker, type JobHandler } from '@quire/shared/jobs';
import { createLogger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';

/** Plays the retrieval worker until the test is over: replies on the asker's channel, and as the job's result. */
export function playRetrieval(redisUrl: string, retrieve: JobHandler<'retrieval'>): void {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => {});
  const answer: JobHandler<'retrieval'> = async (payload, context) => {
    const reply = (content: object) =>
      redis.publish(
        redisKeys.replyChannel(payload.reply_to),
        JSON.stringify({ job_id: context.jobId, ...content }),
      );
    try {
      const result = await retrieve(payload, context);
      await reply({ ok: true, result });
      return result;
    } catch (error) {
      await reply({ ok: false, reason: describeFailure(error) });
      throw error;
    }
  };
  const logger = createLogger('test', 'silent');
  const worker = openWorker('retrieval', answer, {
    connection: redis,
    concurrency: 20,
    logger,
    graceMs: 100,
  });
  worker.start();
  onTestFinished(async () => {
    await worker.close();
    redis.disconnect();
  });
}

/** Two passages, the first of which holds the given text. */
export function foundPassages(
  text = 'Nodes exchange messages on topics.',
  change: Partial<RetrievalResult> = {},
): RetrievalResult {
  const chunk = {
    chunk_id: 'c1',
    text,
    title: 'Nodes',
    chapter: 'Middleware',
    section: 'Topics',
    module: 'ros2',
    url: 'https://book.example/nodes#topics',
    chunk_index: 3,
    char_start: 0,
    char_end: text.length,
    content_hash: 'abc',
    similarity: 0.876_543,
  };
  return {
    chunks: [chunk, { ...chunk, chunk_id: 'c2', similarity: 0.7, before: 'Before.', after: 'After.' }],
    confidence: {
      average_similarity: 0.788_271_5,
      min_similarity: 0.7,
      max_similarity: 0.876_543,
      lexical_score: 0.5,
      num_chunks: 2,
      chunk_diversity: 0.123_456,
      confidence_level: 'medium',
      should_answer: true,
    },
    timings_ms: { embedding: 1.234, search: 0.567, total: 2 },
    ...change,
  };
}

export const nothingFound: RetrievalResult = {
  chunks: [],
  confidence: {
    average_similarity: 0,
    min_similarity: 0,
    max_similarity: 0,
    lexical_score: 0.5,
    num_chunks: 0,
    chunk_diversity: 0,
    confidence_level: 'insufficient',
    should_answer: false,
  },
  timings_ms: { embedding: 1, search: 1, total: 2 },
};

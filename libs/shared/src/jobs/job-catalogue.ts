import { z } from 'zod';
import { ingestResultSchema, ingestTaskSchema } from '../contracts/ingestion.contract.js';
import { retrievalQuerySchema, retrievalResultSchema } from '../contracts/retrieval.contract.js';

const epochMs = z.int().positive();

interface JobDefinition<Payload extends z.ZodType, Result extends z.ZodType> {
  payload: Payload;
  result: Result;
  /** Tries in all, the first included; only retryable errors use more than one. */
  attempts: number;
  backoff: { type: 'exponential' | 'fixed'; delay: number; jitter: number };
  /** A worker that does not renew the job's lock for this long loses the job to another. */
  lockMs: number;
  /** The longest time of a single try. */
  timeLimitMs: number;
  keepCompleted: { age: number; count: number };
  keepFailed: { age: number; count: number };
}

const define = <Payload extends z.ZodType, Result extends z.ZodType>(job: JobDefinition<Payload, Result>) =>
  job;

const HOUR = 3600;

/** Every queue of the product: payload and result of its jobs, and how often and how long they are tried. */
export const jobCatalogue = {
  chat: define({
    payload: z.object({ run_id: z.uuid(), deadline_at: epochMs }),
    result: z.object({ outcome: z.string() }),
    // At least a second apart, for as long as a run's deadline may be away (RUN_DEADLINE_MS: 600 s at most).
    attempts: 601,
    backoff: { type: 'fixed', delay: 2000, jitter: 0.5 },
    lockMs: 5000,
    timeLimitMs: 600_000,
    keepCompleted: { age: 60, count: 1000 },
    keepFailed: { age: 24 * HOUR, count: 5000 },
  }),
  retrieval: define({
    payload: retrievalQuerySchema.extend({
      request_id: z.uuid(),
      deadline_at: epochMs,
      /** The process that waits for the result. */
      reply_to: z.string().min(1),
    }),
    result: retrievalResultSchema,
    attempts: 3,
    backoff: { type: 'exponential', delay: 250, jitter: 0.5 },
    lockMs: 5000,
    timeLimitMs: 30_000,
    // Long enough for a client whose reply was lost to find the stored result.
    keepCompleted: { age: 60, count: 2000 },
    keepFailed: { age: 24 * HOUR, count: 1000 },
  }),
  ingest: define({
    payload: ingestTaskSchema,
    result: ingestResultSchema,
    attempts: 5,
    backoff: { type: 'exponential', delay: 1000, jitter: 0.5 },
    lockMs: 30_000,
    timeLimitMs: 600_000,
    keepCompleted: { age: HOUR, count: 10_000 },
    keepFailed: { age: 24 * HOUR, count: 10_000 },
  }),
  summary: define({
    payload: z.object({
      thread_id: z.uuid(),
      tenant: z.string().min(1),
      /** The key of its spend, which is recorded once however often the job is tried. */
      usage_id: z.uuid(),
    }),
    result: z.object({ outcome: z.enum(['summarized', 'skipped']) }),
    attempts: 3,
    backoff: { type: 'exponential', delay: 5000, jitter: 0.5 },
    lockMs: 30_000,
    timeLimitMs: 60_000,
    keepCompleted: { age: 600, count: 1000 },
    keepFailed: { age: 24 * HOUR, count: 1000 },
  }),
} as const;

export type QueueName = keyof typeof jobCatalogue;
export type JobPayload<Name extends QueueName> = z.infer<(typeof jobCatalogue)[Name]['payload']>;
export type JobResult<Name extends QueueName> = z.infer<(typeof jobCatalogue)[Name]['result']>;

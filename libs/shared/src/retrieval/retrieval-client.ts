import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RetrievalQuery, RetrievalResult } from '../contracts/retrieval.contract.js';
import { DeadlineExceeded } from '../errors/index.js';
import { errorFromFailure, type JobQueue } from '../jobs/index.js';
import { redisKeys } from '../redis/redis-keys.js';
import { forgetQuestion } from './forget-question.js';
import { retrievalReplySchema, type RetrievalReply } from './retrieval-reply.contract.js';

export interface RetrievalCall {
  requestId: string;
  /** Epoch milliseconds after which nobody wants the result. */
  deadlineAt: number;
  signal: AbortSignal;
}

const DEFAULT_LOST_REPLY_CHECK_MS = 1000;

/**
 * Retrieval as a call: the question goes over the queue, the result comes back on a channel of this process
 * alone. Pub/sub forgets what it sends while a connection is away, so a reply that does not come is looked for
 * in the job's stored result; a job that Redis has lost is added again. Behind the answer the job is removed.
 */
export class RetrievalClient {
  private readonly processId = randomUUID();
  private readonly waiting = new Map<string, (reply: RetrievalReply) => void>();

  /** @param subscriber a connection that is used for nothing else */
  constructor(
    private readonly queue: JobQueue<'retrieval'>,
    private readonly subscriber: Redis,
    private readonly lostReplyCheckMs = DEFAULT_LOST_REPLY_CHECK_MS,
  ) {}

  async start(): Promise<void> {
    this.subscriber.on('message', (_channel, message: string) => {
      const reply = readReply(message);
      if (reply) this.waiting.get(reply.job_id)?.(reply);
    });
    await this.subscriber.subscribe(redisKeys.replyChannel(this.processId));
  }

  async search(query: RetrievalQuery, call: RetrievalCall): Promise<RetrievalResult> {
    call.signal.throwIfAborted();
    if (call.deadlineAt <= Date.now()) throw new DeadlineExceeded();
    const jobId = randomUUID();
    const ended = new AbortController();
    const replied = new Promise<RetrievalReply>((resolve) => this.waiting.set(jobId, resolve));
    const payload = {
      ...query,
      request_id: call.requestId,
      deadline_at: call.deadlineAt,
      reply_to: this.processId,
    };
    const add = () => this.queue.add(jobId, payload);
    try {
      const stored = this.addAndWatch(jobId, add, ended.signal);
      const reply = await Promise.race([replied, stored, unwanted(call, ended.signal)]);
      if (reply.ok) return reply.result;
      throw errorFromFailure(reply.reason);
    } finally {
      this.waiting.delete(jobId);
      ended.abort();
      void forgetQuestion(this.queue, jobId, payload);
    }
  }

  private async addAndWatch(
    jobId: string,
    add: () => Promise<void>,
    ended: AbortSignal,
  ): Promise<RetrievalReply> {
    await add();
    for (;;) {
      await sleep(this.lostReplyCheckMs, undefined, { signal: ended });
      const stored = await this.queue.find(jobId);
      if (stored.state === 'completed') return { job_id: jobId, ok: true, result: stored.result };
      if (stored.state === 'failed') return { job_id: jobId, ok: false, reason: stored.reason };
      ended.throwIfAborted();
      if (stored.state === 'missing') await add();
    }
  }
}

/** A reply that cannot be read is left alone: the stored result will be found. */
function readReply(message: string): RetrievalReply | undefined {
  try {
    return retrievalReplySchema.parse(JSON.parse(message));
  } catch {
    return undefined;
  }
}

/** Rejects at the deadline or abort of a call; a Redis that is away must not hold it up. */
function unwanted({ deadlineAt, signal }: RetrievalCall, ended: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded()), deadlineAt - Date.now());
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    ended.addEventListener('abort', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
  });
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RetrievalQuery, RetrievalResult } from '../contracts/retrieval.contract.js';
import { DeadlineExceeded, DependencyUnavailable } from '../errors/index.js';
import { errorFromFailure, type JobQueue } from '../jobs/index.js';
import { redisKeys } from '../redis/redis-keys.js';
import { timeBudgets } from '../time/index.js';
import { forgetQuestion } from './forget-question.js';
import { retrievalReplySchema, type RetrievalReply } from './retrieval-reply.contract.js';

export interface RetrievalCall {
  requestId: string;
  /** Epoch milliseconds; the search rejects then, and a worker drops the job. */
  deadlineAt: number;
  signal: AbortSignal;
}

/**
 * Retrieval as a call: the question is a job, the reply is published on this process' own channel. Pub/sub loses
 * messages while a connection is down, so the job's stored result is polled as well; a job that Redis has lost is added
 * again. When the search is over its job is removed.
 */
export class RetrievalClient {
  private readonly processId = randomUUID();
  private readonly waiting = new Map<string, (reply: RetrievalReply) => void>();

  /** @param subscriber may be shared: the client subscribes to its own channel only, and ignores all others */
  constructor(
    private readonly queue: JobQueue<'retrieval'>,
    private readonly subscriber: Redis,
    private readonly pollMs = timeBudgets.retrieval.pollReplyMs,
  ) {}

  async start(): Promise<void> {
    const replyChannel = redisKeys.replyChannel(this.processId);
    this.subscriber.on('message', (channel: string, message: string) => {
      const reply = channel === replyChannel ? readReply(message) : undefined;
      if (reply) this.waiting.get(reply.job_id)?.(reply);
    });
    await this.subscriber.subscribe(replyChannel);
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
      const stored = this.addAndPoll(jobId, add, ended.signal);
      const reply = await Promise.race([replied, stored, overOrAborted(call, ended.signal)]);
      if (reply.ok) return reply.result;
      throw errorFromFailure(reply.reason);
    } finally {
      this.waiting.delete(jobId);
      ended.abort();
      void forgetQuestion(this.queue, jobId, payload);
    }
  }

  private async addAndPoll(
    jobId: string,
    add: () => Promise<void>,
    ended: AbortSignal,
  ): Promise<RetrievalReply> {
    await add();
    for (;;) {
      await sleep(this.pollMs, undefined, { signal: ended });
      const stored = await this.queue.find(jobId);
      if (stored.state === 'completed') return { job_id: jobId, ok: true, result: stored.result };
      if (stored.state === 'failed') return { job_id: jobId, ok: false, reason: stored.reason };
      ended.throwIfAborted();
      if (stored.state === 'missing') await add();
    }
  }
}

/** Undefined for a reply that is not valid: the stored result will be found. */
function readReply(message: string): RetrievalReply | undefined {
  try {
    return retrievalReplySchema.parse(JSON.parse(message));
  } catch {
    return undefined;
  }
}

/** Rejects at the call's deadline or abort, even while Redis is away. */
function overOrAborted({ deadlineAt, signal }: RetrievalCall, ended: AbortSignal): Promise<never> {
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

/** For callers whose own time limit was the deadline: a search that takes too long counts as unavailable. */
export function retrievalOverdue(cause: unknown): DependencyUnavailable {
  return new DependencyUnavailable('RETRIEVAL_UNAVAILABLE', 'The book could not be searched in time', {
    cause,
  });
}

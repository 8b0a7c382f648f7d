import { createHash } from 'node:crypto';

/**
 * Every Redis key and channel of the product. Keys that one script uses share a hash tag (`{…}`), so that Redis Cluster
 * keeps them in one slot.
 */
export const redisKeys = {
  /** A run's event log (a stream) and the channel on which the same events are published. */
  runLog: (runId: string) => `quire:run:{${runId}}:log`,
  runChannel: (runId: string) => `quire:run:{${runId}}:events`,
  /** Runs whose log ends with their outcome, scored by the time of their end. */
  endedLogs: 'quire:ended-logs',
  /** The number of deletions whose text the append-only file may still hold; held for a while after a rewrite of it. */
  deletionsToCompact: 'quire:deletions-to-compact',
  compacting: 'quire:compacting',
  /** Held by the process that reconciles runs with the queue. */
  reconciling: 'quire:reconciling',
  /** Ids of cancelled runs; every agent worker receives them all, for they are rare. */
  cancelChannel: 'quire:cancel',
  /** Replies of retrieval jobs to one process. */
  replyChannel: (processId: string) => `quire:reply:${processId}`,
  /** Worker processes of one kind, scored by their last sign of life. */
  presence: (kind: string) => `quire:presence:${kind}`,
  /** Agent workers with the models they are configured with, scored likewise. */
  modelRoster: 'quire:model:roster',
  /** Agent workers with how many runs they execute at once and how long those take, scored likewise. */
  agentCapacity: 'quire:agent-capacity',
  /** A model's circuit breaker. */
  modelBreaker: (modelId: string) => `quire:model:breaker:${modelId}`,
  /** A question's vector, as little-endian floats; vectors of different embedders never mix. */
  queryVector: (embedderId: string, dimensions: number, questionSha256: string) =>
    `quire:query-vector:${embedderId}:${dimensions}:${questionSha256}`,
  /** The keys of all stored vectors, scored by the time they were stored. */
  queryVectors: 'quire:query-vectors',
  /** The ingestion that holds an index (a lease), and the last one that started. */
  indexLease: (index: string) => `quire:ingestion:{${index}}:lease`,
  lastIngestion: (index: string) => `quire:ingestion:{${index}}:last`,
  /** Held by the worker that writes a page's chunks. */
  pageLock: (collection: string, book: string, path: string) =>
    `quire:page:${collection}:${sha256(`${book}\n${path}`)}`,
  /** Requests of a caller by the second of the last minute, and the slots it holds (leases). */
  requestRate: (callerId: string) => `quire:api-key:{${callerId}}:requests`,
  requestSlots: (callerId: string) => `quire:api-key:{${callerId}}:slots`,
  /** Tenants with chat jobs, scored by the priority of their last job, and the priority of the job started last. */
  lastPriorities: '{quire:chat}:last-turns',
  currentPriority: '{quire:chat}:present-turn',
  /** Written again and again, to see whether Redis accepts writes. */
  writeProbe: 'quire:write-probe',
  /** BullMQ's key prefix for a queue. */
  queuePrefix: (queue: string) => `{quire:${queue}}`,
} as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

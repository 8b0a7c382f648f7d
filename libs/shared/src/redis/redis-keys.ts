import { createHash } from 'node:crypto';

/**
 * Every Redis key and channel of the product. What belongs together atomically shares a hash tag (`{…}`), so
 * that Redis Cluster keeps it in one slot.
 */
export const redisKeys = {
  /** A run's event log (a stream) and the channel on which the same events are published. */
  runLog: (runId: string) => `quire:run:{${runId}}:log`,
  runChannel: (runId: string) => `quire:run:{${runId}}:events`,
  /** Runs whose log ends with their outcome, scored by the time of their end. */
  endedLogs: 'quire:ended-logs',
  /** Deletions whose text the append-only file of Redis may still hold; held while one rewrite of it was lately. */
  deletionsToCompact: 'quire:deletions-to-compact',
  compacting: 'quire:compacting',
  /** Held by the process that reconciles runs with the queue at present. */
  reconciling: 'quire:reconciling',
  /** Ids of runs that are to be cancelled; every agent worker hears them all, for they are rare. */
  cancelChannel: 'quire:cancel',
  /** Replies to one process that asked for retrieval. */
  replyChannel: (processId: string) => `quire:reply:${processId}`,
  /** Live worker processes of one kind, scored by their last sign of life. */
  presence: (kind: string) => `quire:presence:${kind}`,
  /** Live agent workers with the models they are configured with, scored by their last sign of life. */
  modelRoster: 'quire:model:roster',
  /** Live agent workers with how many runs they work on at once and how long those take, scored likewise. */
  agentCapacity: 'quire:agent-capacity',
  /** What all agent workers know of a model's failures. */
  modelBreaker: (modelId: string) => `quire:model:breaker:${modelId}`,
  /** A question's vector, as little-endian floats; vectors of different embedders never mix. */
  queryVector: (embedderId: string, dimensions: number, questionSha256: string) =>
    `quire:query-vector:${embedderId}:${dimensions}:${questionSha256}`,
  /** The names of all of these, scored by when they were kept. */
  queryVectors: 'quire:query-vectors',
  /** Who is ingesting into an index (a lease), and who began to last. */
  indexLease: (index: string) => `quire:ingestion:{${index}}:lease`,
  lastIngestion: (index: string) => `quire:ingestion:{${index}}:last`,
  /** Held by the worker that writes a page's chunks. */
  pageLock: (collection: string, book: string, path: string) =>
    `quire:page:${collection}:${sha256(`${book}\n${path}`)}`,
  /** Requests of a caller (its API keys) by the second of the last minute, and the places it takes at once (leases). */
  requestRate: (callerId: string) => `quire:api-key:{${callerId}}:requests`,
  requestSlots: (callerId: string) => `quire:api-key:{${callerId}}:slots`,
  /** Tenants with chat jobs, scored by the priority of their last job, and the priority of the job started last. */
  lastPriorities: '{quire:chat}:last-turns',
  currentPriority: '{quire:chat}:present-turn',
  /** Written over and over, to see whether Redis takes writes. */
  writeProbe: 'quire:write-probe',
  /** BullMQ's key prefix for a queue. */
  queuePrefix: (queue: string) => `{quire:${queue}}`,
} as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Every Redis key and channel of the product. What belongs together atomically shares a hash tag (`{…}`), so
 * that Redis Cluster keeps it in one slot.
 */
export const redisKeys = {
  /** A run's event log (a stream) and the channel on which the same events are published. */
  runLog: (runId: string) => `quire:run:{${runId}}:log`,
  runChannel: (runId: string) => `quire:run:{${runId}}:events`,
  /** Replies to one process that asked for retrieval. */
  replyChannel: (processId: string) => `quire:reply:${processId}`,
  /** Live worker processes of one kind, scored by their last sign of life. */
  presence: (kind: string) => `quire:presence:${kind}`,
  /** BullMQ's key prefix for a queue. */
  queuePrefix: (queue: string) => `{quire:${queue}}`,
} as const;

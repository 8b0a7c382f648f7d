/**
 * Times in milliseconds that must keep a relation to each other; `time-budgets.test.ts` states and checks the relations.
 * A time that concerns one module alone stays in that module. Locks and time limits of jobs are in `job-catalogue.ts`.
 */
export const timeBudgets = {
  /** From the signal to stop until the process has ended. */
  stop: {
    /** Jobs under way may finish. */
    jobGraceMs: 8000,
    /** Jobs that did not finish are handed back, even while Redis is away. */
    handBackMs: 1500,
    /** A run is handed back without waiting longer for a Postgres that hangs. */
    runHandBackMs: 1000,
    /** Requests under way at the gateway that wait for JSON may finish. */
    drainMs: 8000,
    /** Each of: withdrawing the presence, releasing leases, closing a pool. */
    disconnectMs: 500,
    /** The process exits then, whatever is unfinished. */
    processMs: 11_000,
  },
  /** How long a service that starts waits for stores that start at the same time. */
  storeStartMs: 30_000,
  presence: { renewEveryMs: 3000, goneAfterMs: 10_000, healthCheckMs: 3000 },
  indexLease: { renewEveryMs: 5000, ttlMs: 20_000 },
  pageLease: { renewEveryMs: 10_000, ttlMs: 30_000 },
  /** A slot of an API key. */
  slotLease: { renewEveryMs: 10_000, leaseMs: 30_000 },
  redis: {
    /** A command of a connection of the role `request` fails after this. */
    commandMs: 3000,
    /** Each connection pings this often, and is replaced when a response is overdue for `responseMs`. */
    pingEveryMs: 2000,
    responseMs: 4000,
    /** The same for the connection with which BullMQ blocks for up to 10 s. */
    blockingResponseMs: 11_000,
    pulseEveryMs: 500,
    pulseSilenceMs: 1000,
  },
  postgres: {
    connectMs: 3000,
    /** By the server. */
    statementMs: 5000,
    /** By the client: the server's limit does not help when the server falls silent. */
    queryMs: 6000,
    /** The server ends a transaction whose client sends nothing for this long, and with it its locks. */
    idleTransactionMs: 5000,
    /** A commit is retried for this long before the whole run is. */
    commitRetryMs: 10_000,
  },
  health: { checkMs: 1500, writeLockMs: 500 },
  run: {
    /** A run is closed by others this long after its deadline, so that a commit at the last moment counts. */
    deadlineGraceMs: 3000,
    /** A worker checks in Postgres whether its runs were cancelled or taken over. */
    cancelCheckEveryMs: 2000,
    /** `DELETE /chat/{request_id}` waits this long for the worker. */
    cancelConfirmMs: 5000,
    /** A row whose insert failed without a response is looked for, from the first response of Postgres on. */
    withdrawMs: 15_000,
    /** The reconciler leaves younger runs to the gateway that is about to enqueue them. */
    leftToGatewayMs: 3000,
    /** A follower without events reads the log again, and then Postgres. */
    rereadMs: 10_000,
  },
  stream: { heartbeatMs: 15_000, sendTimeoutMs: 60_000, keepAliveMs: 65_000 },
  retrieval: {
    /** One call to the embedder for a question, and for a batch of passages. */
    embedQuestionMs: 3000,
    embedPassagesMs: 60_000,
    qdrantReadMs: 5000,
    qdrantWriteMs: 30_000,
    parsePageMs: 60_000,
    /** A search without a reply polls its job's stored result. */
    pollReplyMs: 1000,
  },
  /** All model calls of one topic summary. */
  summaryMs: 45_000,
};

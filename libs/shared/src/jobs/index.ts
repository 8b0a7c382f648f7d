export type { JobState } from './bullmq/find-jobs.js';
export { jobFields, jobKey, lockKey, queueKey } from './bullmq/queue-keys.js';
export * from './failure-reason.js';
export * from './job-catalogue.js';
export * from './job-queue.js';
export * from './job-worker.js';
export { FinalFailure, type JobContext, type JobHandler } from './running-jobs.js';
export * from './fair-order.js';

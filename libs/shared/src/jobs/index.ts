export * from './failure-reason.js';
export * from './job-catalogue.js';
export * from './job-queue.js';
export * from './job-worker.js';
export * from './turns.js';

export type { BuriedRun } from './bury-logs.js';
export * from './follow-run.js';
export * from './run-log.js';
export type { RunLogEntry } from './run-log-entry.js';
export * from './run-log-hub.js';
export * from './run-log-limits.js';
export * from './run-log-writer.js';
export { lastPositionAfter } from './sequence.js';

export * from './follow-run.js';
export * from './run-log.js';
export * from './run-log-hub.js';
export * from './run-log-writer.js';
export { lastPositionAfter } from './sequence.js';

export * from './database.js';
export * from './migrate.js';
export * from './run.repository.js';
export type { RetrievalCallRecord } from './thread.table.js';
export * from './thread.repository.js';
export * from './thread-list.repository.js';
export * from './usage.repository.js';

export * from './periodic-task.js';
export * from './within.js';

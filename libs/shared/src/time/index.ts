export * from './periodic-task.js';
export * from './time-budgets.js';
export * from './within.js';

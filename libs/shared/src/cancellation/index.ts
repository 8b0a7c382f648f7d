export * from './announce-cancel.js';
export * from './cancellations.js';
export * from './run-cancelled.js';

export * from './classify-error.js';
export * from './error-codes.js';
export * from './quire-error.js';
export * from './retry-after.js';
export { markAsPostgres } from './store-trouble.js';

export * from './breaker-limits.js';
export * from './circuit-breaker.js';
export * from './model-id.js';
export * from './model-roster.js';
export * from './redis-circuit-breaker.js';

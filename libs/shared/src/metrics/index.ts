export * from './metrics.js';
export * from './serve-metrics.js';

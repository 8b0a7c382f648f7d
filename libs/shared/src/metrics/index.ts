export * from './metrics.js';
export * from './serve-configured-metrics.js';
export type { MetricsServer } from './serve-metrics.js';

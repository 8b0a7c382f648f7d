export { LeaseLost, type LeaseTimings } from '../redis/lease.js';
export * from './index-lease.js';

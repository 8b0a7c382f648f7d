export * from './index-lease.js';

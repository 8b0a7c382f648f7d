export * from './lua-script.js';
export * from './redis-connection.js';
export * from './redis-keys.js';
export * from './redis-pulse.js';
export * from './forget-oldest.js';
export * from './lease.js';

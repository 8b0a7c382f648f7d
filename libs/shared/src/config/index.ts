export * from './environment.js';
export * from './load-config.js';

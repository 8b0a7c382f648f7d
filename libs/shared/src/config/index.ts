export * from './check-configuration.js';
export * from './environment.js';
export * from './load-config.js';

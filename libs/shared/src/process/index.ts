export * from './presence.js';
export * from './run-service.js';

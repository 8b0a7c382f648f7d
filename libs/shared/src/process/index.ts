export * from './capacity.js';
export * from './check-presence.js';
export * from './linked-signal.js';
export * from './presence.js';
export * from './run-service.js';
export * from './until-aborted.js';

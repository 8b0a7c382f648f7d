export { spawnGuarded, type GuardedProcess, type ProcessSpec } from './guarded-process.js';
export { isSameProcess, processIdentity } from './process-identity.js';

export { keepAtEnd, removeAtEnd } from '../processes/process-guard.js';
export { StackError } from '../stack-error.js';
export { placeData } from './data-place.js';
export { freePorts } from './free-port.js';
export type { RunningStore, StoreName, StoreOptions } from './running-store.js';
export { startPostgres, startQdrant, startRedis } from './start-store.js';
export { startStores, type RunningStores, type StoresOptions } from './start-stores.js';

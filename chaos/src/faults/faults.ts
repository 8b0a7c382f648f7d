import type { Fault } from './fault.js';
import type { FaultName } from './fault-kinds.js';
import { redisFaults } from './redis-faults.js';
import { serviceFaults } from './service-faults.js';
import { storeFaults } from './store-faults.js';

export const faults: Record<FaultName, Fault> = { ...serviceFaults, ...storeFaults, ...redisFaults };

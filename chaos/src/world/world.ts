import type { FaultyStore } from './faulty-store.js';
import type { StalledRun } from './stalled-runs.js';
import type { SupervisedService } from './supervised-service.js';

/** The running product, with what faults need to reach its processes and stores. */
export interface World {
  /** The base URLs of the gateways. */
  gatewayUrls: readonly [string, string];
  stores: { redis: FaultyStore; postgres: FaultyStore; qdrant: FaultyStore };
  services: {
    gateways: readonly SupervisedService[];
    agents: readonly SupervisedService[];
    retrievers: readonly SupervisedService[];
  };
  /** From the logs of the agent workers. */
  stalledRuns: readonly StalledRun[];
  stop(): Promise<void>;
}

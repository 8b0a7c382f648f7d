import type { FaultyStore } from '../world/faulty-store.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';

type Which = (world: World) => FaultyStore;
const redis: Which = ({ stores }) => stores.redis;
const postgres: Which = ({ stores }) => stores.postgres;
const qdrant: Which = ({ stores }) => stores.qdrant;

/** Faults that several stores have. */
export const storeFaults = {
  'redis-restart': {
    inject: (world) => world.stores.redis.stop(),
    clear: (world) => world.stores.redis.start(),
  },
  'redis-reset': reset(redis),
  'redis-strand': strand(redis),
  'postgres-crash': crash(postgres),
  'postgres-reset': reset(postgres),
  'postgres-pause': pause(postgres),
  'postgres-strand': strand(postgres),
  'qdrant-crash': crash(qdrant),
  'qdrant-pause': pause(qdrant),
  'qdrant-reset': reset(qdrant),
  'qdrant-strand': strand(qdrant),
} satisfies Record<string, Fault>;

function crash(which: Which): Fault {
  return { inject: (world) => which(world).kill(), clear: (world) => which(world).start() };
}

/** Pauses the proxy: a signal would stop only the first process of Postgres, and its children would go on serving. */
function pause(which: Which): Fault {
  return {
    inject: async (world) => which(world).proxy.pause(),
    clear: (world) => which(world).proxy.restore(),
  };
}

/** Breaks every connection, and refuses new ones until it is cleared. */
function reset(which: Which): Fault {
  return { inject: (world) => which(world).proxy.cut(), clear: (world) => which(world).proxy.restore() };
}

/** Drops the data of every open connection for ever; new connections work. */
function strand(which: Which): Fault {
  return { inject: async (world) => which(world).proxy.strand(), clear: async () => {} };
}

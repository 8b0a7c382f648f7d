export { freePorts } from '@quire/stack/stores';
export { appendOnlyFile } from './append-only-file.js';
export { eventually } from './eventually.js';
export {
  startPrivatePostgres,
  startPrivateQdrant,
  startPrivateRedis,
  type PrivateStore,
} from './private-store.js';
export type { ProvidedStores } from './provided-stores.js';
export { mountSmallDatabase, type SmallDatabase } from './small-database.js';
export { collectEvents, readEvents, textOf } from './sse-client.js';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
export { createTestDatabase, type TestDatabase } from './test-database.js';
export { dropIndex, qdrantUrl, uniqueCollection } from './test-qdrant.js';
export { testRedisUrl } from './test-redis.js';

import { probePostgres } from '../probes/probe-postgres.js';
import { probeQdrant } from '../probes/probe-qdrant.js';
import { probeRedis } from '../probes/probe-redis.js';
import type { StoreContainer } from './store-container.js';

export const redisContainer: StoreContainer = {
  name: 'redis',
  image: 'redis:7.4-alpine',
  port: 6379,
  dataPath: '/data',
  environment: () => ({}),
  command: (password) =>
    `redis-server --requirepass ${password} --appendonly yes --maxmemory-policy noeviction --databases 256`.split(
      ' ',
    ),
  url: (host, port, password) => `redis://:${password}@${host}:${port}`,
  probe: (url) => probeRedis(url),
};

export const postgresContainer: StoreContainer = {
  name: 'postgres',
  image: 'postgres:17-alpine',
  port: 5432,
  dataPath: '/var/lib/postgresql/data',
  environment: (password) => ({ POSTGRES_USER: 'quire', POSTGRES_DB: 'quire', POSTGRES_PASSWORD: password }),
  command: () => ['postgres', '-c', 'max_connections=200'],
  url: (host, port, password) => `postgres://quire:${password}@${host}:${port}/quire`,
  probe: (url) => probePostgres(url),
};

export const qdrantContainer: StoreContainer = {
  name: 'qdrant',
  image: 'qdrant/qdrant:v1.16.3',
  port: 6333,
  dataPath: '/qdrant/storage',
  environment: () => ({ QDRANT__TELEMETRY_DISABLED: 'true' }),
  command: () => ['./entrypoint.sh'],
  url: (host, port) => `http://${host}:${port}`,
  probe: (url) => probeQdrant(url),
};

import { wrongPassword } from '../postgres-password.js';
import { probePostgres } from '../probes/probe-postgres.js';
import { probeQdrant } from '../probes/probe-qdrant.js';
import { probeRedis } from '../probes/probe-redis.js';
import type { StoreContainer } from './store-container.js';

const REDIS_CONFIGURATION = [
  'requirepass $REDIS_PASSWORD',
  'appendonly yes',
  'save ""',
  'maxmemory-policy noeviction',
  'databases 256',
  '',
].join('\n');

export const redisContainer: StoreContainer = {
  name: 'redis',
  image: 'redis:7.4-alpine',
  port: 6379,
  dataPath: '/data',
  environment: (password) => ({ REDIS_PASSWORD: password }),
  // The image's entrypoint gives up root; the here-document reaches the server as its stdin.
  command: ['sh', '-c', `exec docker-entrypoint.sh redis-server - <<END\n${REDIS_CONFIGURATION}END`],
  url: (host, port, password) => `redis://:${password}@${host}:${port}`,
  probe: (url) => probeRedis(url),
};

export const postgresContainer: StoreContainer = {
  name: 'postgres',
  image: 'postgres:17-alpine',
  port: 5432,
  dataPath: '/var/lib/postgresql/data',
  environment: (password) => ({ POSTGRES_USER: 'quire', POSTGRES_DB: 'quire', POSTGRES_PASSWORD: password }),
  command: ['postgres', '-c', 'max_connections=200'],
  url: (host, port, password) => `postgres://quire:${password}@${host}:${port}/quire`,
  refusal: (error, dataDir, volume) =>
    wrongPassword(dataDir, error, `remove the data as well: docker volume rm ${volume}`),
  probe: (url) => probePostgres(url),
};

export const qdrantContainer: StoreContainer = {
  name: 'qdrant',
  image: 'qdrant/qdrant:v1.16.3',
  port: 6333,
  dataPath: '/qdrant/storage',
  environment: (apiKey) => ({
    QDRANT__TELEMETRY_DISABLED: 'true',
    QDRANT__SERVICE__ENABLE_CORS: 'false',
    ...(apiKey === '' ? {} : { QDRANT__SERVICE__API_KEY: apiKey }),
  }),
  command: ['./entrypoint.sh'],
  takesApiKey: true,
  url: (host, port) => `http://${host}:${port}`,
  probe: (url, apiKey) => probeQdrant(url, undefined, apiKey),
};

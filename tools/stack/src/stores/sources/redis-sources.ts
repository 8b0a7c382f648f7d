import { containerSource } from '../containers/container-source.js';
import { redisContainer } from '../containers/store-containers.js';
import { launchStore } from '../launch-store.js';
import { redisProgram, type RedisServer } from '../redis-program.js';
import { debianRedis } from './debian-redis.js';
import { programOnPath } from './program-on-path.js';
import { reachableCopy } from './reachable-copy.js';
import { isUsableRedis, OLDEST_REDIS } from './redis-version.js';
import type { StartStore, StoreSource, StoreSources } from './store-source.js';

const onPath: StoreSource = {
  name: 'path',
  async locate({ env, binDir }) {
    const found = programOnPath(['redis-server', 'valkey-server'], env);
    if (!found) return { closed: 'neither redis-server nor valkey-server is on PATH' };
    const server = { command: await reachableCopy(found, binDir) };
    if (!(await isUsableRedis(server)))
      return { closed: `${found} is older than ${OLDEST_REDIS} or does not run` };
    return start(server);
  },
};

const debianPackage: StoreSource = {
  name: 'package',
  async locate(options) {
    const server = await debianRedis(options);
    return 'closed' in server ? server : start(server);
  },
};

export const redisSources: StoreSources = {
  store: 'redis',
  sources: [onPath, debianPackage, containerSource(redisContainer)],
  remedy: [
    'Install Redis and start again: Debian/Ubuntu `sudo apt-get install redis-server`, Fedora `sudo dnf install valkey`,',
    'Alpine `apk add redis`, macOS `brew install redis`; or start Docker; or set REDIS_URL to a running Redis.',
  ].join(' '),
};

function start(server: RedisServer): StartStore {
  return async (options) => await launchStore(await redisProgram(server, options), options);
}

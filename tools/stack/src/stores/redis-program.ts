import { probeRedis } from './probes/probe-redis.js';
import type { StoreOptions } from './running-store.js';
import { storeEnvironment } from './store-environment.js';
import { storeFolder } from './store-folder.js';
import { storeSecret } from './store-secret.js';
import type { StoreProgram } from './store-program.js';
import { storeUser } from './store-user.js';

export interface RedisServer {
  command: string;
  /** Folders of libraries that came with an unpacked server. */
  libraryPath?: string;
}

export async function redisProgram(server: RedisServer, options: StoreOptions): Promise<StoreProgram> {
  const user = storeUser();
  const folder = await storeFolder(options.dataDir, 'redis', user);
  const password = await storeSecret(options.dataDir, 'redis');
  return {
    name: 'redis',
    portCount: 1,
    process: ([port = 0]) => ({
      command: server.command,
      args: ['-'],
      cwd: folder,
      env: storeEnvironment(server.libraryPath ? { LD_LIBRARY_PATH: server.libraryPath } : {}),
      input: redisConfiguration(port, folder, password),
      user,
    }),
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
    probe: (url) => probeRedis(url),
    stopSignal: 'SIGTERM',
  };
}

/** Read from stdin (`redis-server -`), so the password is neither in a file the server owns nor in `ps`. */
function redisConfiguration(port: number, folder: string, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    'protected-mode yes',
    `requirepass ${password}`,
    `dir "${folder}"`,
    'daemonize no',
    'databases 256',
    'appendonly yes',
    // BullMQ loses jobs when Redis evicts keys.
    'maxmemory-policy noeviction',
    'tcp-backlog 128',
    '',
  ].join('\n');
}

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
  await removeSnapshot(folder);
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
    announces: [],
    stopSignal: 'SIGTERM',
  };
}

/** Removes the snapshot of an earlier version; Redis does not read it if there is an append-only file. */
async function removeSnapshot(folder: string): Promise<void> {
  const names = await readdir(folder);
  const appends = names.some((name) => name === 'appendonlydir' || name.endsWith('.aof'));
  if (appends) await rm(join(folder, 'dump.rdb'), { force: true });
}

/** Passed on stdin (`redis-server -`), so that the password is neither in a file of the server nor in `ps`. */
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
    // A snapshot beside the append-only file would keep deleted text until the next one.
    'save ""',
    // BullMQ loses jobs when Redis evicts keys.
    'maxmemory-policy noeviction',
    'tcp-backlog 128',
    '',
  ].join('\n');
}

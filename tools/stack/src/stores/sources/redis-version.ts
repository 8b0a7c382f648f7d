import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RedisServer } from '../redis-program.js';
import { storeEnvironment } from '../store-environment.js';

/** Streams with exact trimming and the Lua of BullMQ are known to work from here on. */
export const OLDEST_REDIS = '6.2';

/** The version a server reports, or `undefined` when it does not even start (a missing library, say). */
export async function redisVersion(server: RedisServer): Promise<string | undefined> {
  try {
    const env = storeEnvironment(server.libraryPath ? { LD_LIBRARY_PATH: server.libraryPath } : {});
    const { stdout } = await promisify(execFile)(server.command, ['--version'], { env });
    return /\bv=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

export async function isUsableRedis(server: RedisServer): Promise<boolean> {
  const version = await redisVersion(server);
  return version !== undefined && version.localeCompare(OLDEST_REDIS, 'en', { numeric: true }) >= 0;
}

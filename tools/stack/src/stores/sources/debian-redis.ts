import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RedisServer } from '../redis-program.js';
import { DebianPackages } from './debian-packages.js';
import { programOnPath } from './program-on-path.js';
import { isUsableRedis, redisVersion } from './redis-version.js';
import type { Closed, LocateOptions } from './store-source.js';

const PREFIX = 'redis-';
/** Debian keeps the server's code in redis-tools; redis-server holds only a link to it. */
const PACKAGES = ['redis-server', 'redis-tools'];
const DEPTH_OF_LIBRARIES = 4;

/** Debian's own Redis, fetched by apt (which checks its signature) and unpacked into `binDir`: nothing is installed. */
export async function debianRedis({ binDir, env, notice }: LocateOptions): Promise<RedisServer | Closed> {
  const unpacked = await unpackedBefore(binDir);
  if (unpacked) return unpacked;
  const tools = ['apt-get', 'apt-cache', 'dpkg', 'dpkg-query'];
  if (process.platform !== 'linux' || !tools.every((tool) => programOnPath([tool], env))) {
    return { closed: 'this is not a Debian or Ubuntu system, so its package cannot be fetched' };
  }
  await mkdir(binDir, { recursive: true, mode: 0o755 });
  const workshop = await mkdtemp(join(binDir, 'fetch-'));
  try {
    notice('Fetching the redis-server package (unpacked into the data folder, nothing is installed) …');
    return await fetchRedis(new DebianPackages(workshop, env), workshop, binDir);
  } catch (error) {
    return { closed: `the redis-server package could not be fetched: ${lastLine((error as Error).message)}` };
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function fetchRedis(
  packages: DebianPackages,
  workshop: string,
  binDir: string,
): Promise<RedisServer | Closed> {
  const root = join(workshop, 'root');
  if (!(await packages.knows('redis-server'))) await packages.refreshLists();
  try {
    await packages.unpack(PACKAGES, root);
  } catch {
    await packages.refreshLists();
    await packages.unpack(PACKAGES, root);
  }
  const seen = new Set(PACKAGES);
  let level = PACKAGES;
  for (let depth = 0; depth < DEPTH_OF_LIBRARIES && !(await redisVersion(await serverIn(root))); depth += 1) {
    const needed = await Promise.all(level.map((name) => packages.missingLibraries(name)));
    level = [...new Set(needed.flat())].filter((name) => !seen.has(name));
    if (level.length === 0) break;
    for (const name of level) seen.add(name);
    await packages.unpack(level, root);
  }
  const server = await serverIn(root);
  const version = await redisVersion(server);
  if (!version || !(await isUsableRedis(server)))
    return { closed: `Debian's Redis (${version ?? 'it does not run'}) is of no use` };

  const final = join(binDir, `${PREFIX}${version}`);
  await promisify(execFile)('chmod', ['-R', 'a+rX', root]);
  await rm(final, { recursive: true, force: true });
  await rename(root, final);
  return await serverIn(final);
}

async function unpackedBefore(binDir: string): Promise<RedisServer | undefined> {
  const names = await readdir(binDir).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith(PREFIX))) {
    const server = await serverIn(join(binDir, name));
    if (await isUsableRedis(server)) return server;
  }
  return undefined;
}

async function serverIn(root: string): Promise<RedisServer> {
  const folders: string[] = [];
  for (const base of [join(root, 'usr/lib'), join(root, 'lib')]) {
    const entries = await readdir(base, { withFileTypes: true }).catch(() => []);
    folders.push(
      base,
      ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(base, entry.name)),
    );
  }
  return { command: join(root, 'usr/bin/redis-server'), libraryPath: folders.join(':') };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? text;
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  keepAtEnd,
  placeData,
  removeAtEnd,
  startPostgres,
  startQdrant,
  startRedis,
} from '@quire/stack/stores';
import { note } from '../note.js';
import { REPOSITORY } from '../repository.js';

export interface PrivateStores {
  /** The environment of every process of the benchmark. */
  env: { REDIS_URL: string; DATABASE_URL: string; QDRANT_URL: string; QDRANT_COLLECTION: string };
  /** A folder for the benchmark's own files; removed at the end. */
  folder: string;
}

/** Runs a benchmark on empty stores, embedded as in `npm start`. */
export async function withPrivateStores<T>(work: (stores: PrivateStores) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  removeAtEnd(folder);
  // Stores that root starts run as the user `nobody`, which must be able to enter.
  await chmod(folder, 0o755);
  const home = await placeData(process.env['QUIRE_DATA_DIR'] ?? join(REPOSITORY, '.quire'));
  const options = {
    dataDir: folder,
    binDir: join(home.dataDir, 'bin'),
    throwaway: true,
    withoutQdrantKey: true,
    notice: note,
  };
  const stores = await Promise.all([startRedis(options), startPostgres(options), startQdrant(options)]);
  const [redis, postgres, qdrant] = stores;
  try {
    const env = {
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      QDRANT_URL: qdrant.url,
      QDRANT_COLLECTION: 'bench',
    };
    return await work({ env, folder });
  } finally {
    await Promise.all(stores.map((store) => store.stop()));
    await rm(folder, { recursive: true, force: true });
    keepAtEnd(folder);
  }
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeData, startStores } from '@quire/stack/stores';
import type { ProvidedStores } from './provided-stores.js';
import { makeTestFolder, removeTestFolder } from './test-folder.js';

export interface SharedStores {
  provided: ProvidedStores;
  stop(): Promise<void>;
}

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** The three stores of a whole test run: containers with a Docker engine, embedded otherwise, or the user's own. */
export async function startSharedStores(): Promise<SharedStores> {
  const dataDir = await makeTestFolder();
  const home = await placeData(process.env.QUIRE_DATA_DIR ?? join(REPOSITORY, '.quire'));
  const binDir = join(home.dataDir, 'bin');
  const stores = await startStores({
    dataDir,
    binDir,
    env: process.env,
    preferContainers: true,
    throwaway: true,
    withoutQdrantKey: true,
  });
  return {
    provided: {
      redisUrl: stores.redis.url,
      postgresUrl: stores.postgres.url,
      qdrantUrl: stores.qdrant.url,
      binDir,
    },
    async stop() {
      await stores.stop();
      await removeTestFolder(dataDir);
    },
  };
}

import { containerSource } from '../containers/container-source.js';
import { postgresContainer } from '../containers/store-containers.js';
import { launchStore } from '../launch-store.js';
import { postgresProgram } from '../postgres-program.js';
import { packagedPostgres } from './packaged-postgres.js';
import type { StoreSource, StoreSources } from './store-source.js';

const npmPackage: StoreSource = {
  name: 'package',
  async locate({ binDir }) {
    const binaries = await packagedPostgres(binDir);
    if (typeof binaries !== 'string') return binaries;
    return async (options) => await launchStore(await postgresProgram(binaries, options), options);
  },
};

export const postgresSources: StoreSources = {
  store: 'postgres',
  sources: [npmPackage, containerSource(postgresContainer)],
  remedy:
    'Install again with `npm ci` (without --omit=optional), or start Docker, or set DATABASE_URL to a running Postgres.',
};

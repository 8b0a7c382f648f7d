import { containerSource } from '../containers/container-source.js';
import { qdrantContainer } from '../containers/store-containers.js';
import { launchStore } from '../launch-store.js';
import { qdrantProgram } from '../qdrant-program.js';
import { packagedQdrant } from './packaged-qdrant.js';
import { programOnPath } from './program-on-path.js';
import { reachableCopy } from './reachable-copy.js';
import type { StartStore, StoreSource, StoreSources } from './store-source.js';

const onPath: StoreSource = {
  name: 'path',
  async locate({ env, binDir }) {
    const found = programOnPath(['qdrant'], env);
    return found ? start(await reachableCopy(found, binDir)) : { closed: 'qdrant is not on PATH' };
  },
};

const npmPackage: StoreSource = {
  name: 'package',
  async locate({ binDir }) {
    const binary = await packagedQdrant(binDir);
    return typeof binary === 'string' ? start(binary) : binary;
  },
};

export const qdrantSources: StoreSources = {
  store: 'qdrant',
  sources: [onPath, containerSource(qdrantContainer), npmPackage],
  remedy: [
    'Put the `qdrant` program of https://github.com/qdrant/qdrant/releases on PATH, or start Docker,',
    'or set QDRANT_URL to a running Qdrant. (On Linux x64 `npm ci` without --omit=optional brings one.)',
  ].join(' '),
};

function start(command: string): StartStore {
  return async (options) => await launchStore(await qdrantProgram(command, options), options);
}

import type { StoreSource } from '../sources/store-source.js';
import { dockerEngineAnswers } from './docker-engine.js';
import type { StoreContainer } from './store-container.js';

export function containerSource(container: StoreContainer): StoreSource {
  return {
    name: 'container',
    async locate({ env }) {
      if (!(await dockerEngineAnswers(env))) return { closed: 'no Docker engine answers' };
      return async (options) => {
        // Loading testcontainers takes longer than starting all embedded stores.
        const { launchContainer } = await import('./launch-container.js');
        return await launchContainer(container, options);
      };
    },
  };
}

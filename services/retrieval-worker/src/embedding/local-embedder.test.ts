import { fileURLToPath } from 'node:url';
import { describeEmbedder } from '../../test/embedder-contract.js';
import { openLocalEmbedder } from './local-embedder.js';

describeEmbedder('local', () => {
  const embedder = openLocalEmbedder();
  const broken = openLocalEmbedder({
    threadFile: fileURLToPath(new URL('../../test/threads/exiting-thread.mjs', import.meta.url)),
  });
  const close = async () => {
    await Promise.all([embedder.close(), broken.close()]);
  };
  return Promise.resolve({ embedder, broken, close });
});

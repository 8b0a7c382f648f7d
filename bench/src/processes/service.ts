import { spawnNode, type NodeProcess } from './child-process.js';
import type { PrivateStores } from './private-stores.js';

/** A built service as it runs in production, at its usual log level. */
export async function withService<T>(
  name: 'gateway' | 'agent-worker' | 'retrieval-worker',
  { env }: PrivateStores,
  settings: Record<string, string>,
  work: (service: NodeProcess) => Promise<T>,
): Promise<T> {
  const service = spawnNode(`services/${name}/dist/main.js`, [], { env: { ...env, ...settings } });
  try {
    await service.firstLine((line) => line.includes('"message":"Started"'));
    return await service.whileRunning(work(service));
  } finally {
    await service.stop();
  }
}

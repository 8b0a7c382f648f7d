import { spawnNode, type NodeProcess } from './child-process.js';
import type { PrivateStores } from './private-stores.js';

/** Runs the built script of a service as in production, at its usual log level. */
export async function withService<T>(
  script: string,
  { env }: PrivateStores,
  settings: Record<string, string>,
  work: (service: NodeProcess) => Promise<T>,
): Promise<T> {
  const service = spawnNode(script, [], { env: { ...env, ...settings } });
  try {
    await service.firstLine((line) => line.includes('"message":"Started"'));
    return await service.whileRunning(work(service));
  } finally {
    await service.stop();
  }
}

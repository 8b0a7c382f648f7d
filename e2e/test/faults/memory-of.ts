import { eventually } from '@quire/testkit';
import type { ServiceProcess } from '../quire-processes.js';

/** The environment of a service that reports its memory. */
export const withMemoryProbe = {
  NODE_OPTIONS: `--import=${new URL('memory-probe.mjs', import.meta.url).href}`,
};

/** Bytes that a service uses after a garbage collection. */
export async function memoryOf(service: ServiceProcess): Promise<number> {
  const reported = () => [...service.output().matchAll(/"message":"Memory","bytes":(\d+)/g)];
  const before = reported().length;
  service.child.kill('SIGUSR2');
  return eventually(() => {
    const [, bytes] = reported()[before] ?? [];
    if (bytes === undefined) throw new Error(`${service.name} does not tell its memory`);
    return Number(bytes);
  });
}

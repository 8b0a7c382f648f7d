import { eventually } from '@quire/testkit';
import type { ServiceProcess } from '../quire-processes.js';

/** The environment of a service whose memory can be asked for. */
export const withMemoryProbe = {
  NODE_OPTIONS: `--import=${new URL('memory-probe.mjs', import.meta.url).href}`,
};

/** Bytes that a service holds on to, once its garbage is gone. */
export async function memoryOf(service: ServiceProcess): Promise<number> {
  const told = () => [...service.output().matchAll(/"message":"Memory","bytes":(\d+)/g)];
  const before = told().length;
  service.child.kill('SIGUSR2');
  return eventually(() => {
    const [, bytes] = told()[before] ?? [];
    if (bytes === undefined) throw new Error(`${service.name} does not tell its memory`);
    return Number(bytes);
  });
}

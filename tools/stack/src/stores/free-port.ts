import { createServer } from 'node:net';
import { StackError } from '../stack-error.js';

/** Below Linux's ephemeral ports (from 32768), so that no outgoing connection takes a port between two starts. */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const TRIES = 100;

/** Different ports of the loopback interface, each verified by binding it. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; attempt < TRIES && ports.size < count; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    if (await isPortFree(port)) ports.add(port);
  }
  if (ports.size < count) {
    throw new StackError(
      `no free port found between ${LOWEST} and ${HIGHEST} on 127.0.0.1`,
      'Stop programs that hold many ports, or point REDIS_URL, DATABASE_URL and QDRANT_URL to running stores.',
    );
  }
  return [...ports];
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

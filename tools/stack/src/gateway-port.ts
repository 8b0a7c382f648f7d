import { StackError } from './stack-error.js';
import { isPortFree } from './stores/free-port.js';

const DEFAULT_PORT = 8787;
const LAST_PORT = 8887;

export interface GatewayAddress {
  host: string;
  port: number;
  /** Where a browser or curl on this machine finds it. */
  url: string;
  notice?: string;
}

/** The port asked for, or else the first free one from the default on. */
export async function gatewayAddress(env: NodeJS.ProcessEnv): Promise<GatewayAddress> {
  const host = env.HOST || '127.0.0.1';
  if (!env.PORT) {
    const port = await firstFreePort(host, DEFAULT_PORT);
    const notice = `Port ${DEFAULT_PORT} is taken; the gateway listens on ${port} instead.`;
    return { host, port, url: urlOf(host, port), ...(port === DEFAULT_PORT ? {} : { notice }) };
  }
  const port = Number(env.PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StackError(
      `PORT is '${env.PORT}', which is no port`,
      'Use a number from 1 to 65535: PORT=8788 npm start',
    );
  }
  if (!(await isPortFree(port, host))) {
    const other = await firstFreePort(host, port === 65_535 ? DEFAULT_PORT : port + 1);
    throw new StackError(
      `port ${port} on ${host} is taken or not allowed`,
      `Choose another: PORT=${other} npm start`,
    );
  }
  return { host, port, url: urlOf(host, port) };
}

async function firstFreePort(host: string, from: number): Promise<number> {
  for (let port = from; port <= from + LAST_PORT - DEFAULT_PORT; port += 1) {
    if (await isPortFree(port, host)) return port;
  }
  throw new StackError(
    `no free port between ${from} and ${from + LAST_PORT - DEFAULT_PORT} on ${host}`,
    'Choose one: PORT=9000 npm start; is HOST an address of this machine?',
  );
}

function urlOf(host: string, port: number): string {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`;
}

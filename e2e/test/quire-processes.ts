import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, eventually, qdrantUrl, testRedisUrl, uniqueCollection } from '@quire/testkit';

export const repoRoot = fileURLToPath(new URL('../..', import.meta.url));

export type ServiceName = 'gateway' | 'agent-worker' | 'retrieval-worker';

export interface ServiceProcess {
  readonly name: ServiceName;
  readonly child: ChildProcess;
  /** Its output so far. */
  output(): string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface QuireProcesses {
  /** One base URL for each gateway. */
  gateways: string[];
  processes: ServiceProcess[];
  env: Record<string, string>;
  start(name: ServiceName, env?: Record<string, string>): Promise<ServiceProcess>;
  quire(...args: string[]): Promise<{ code: number | null; output: string }>;
  ask(body: object, path?: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** Starts the built services as separate processes on the test stores; one of each unless `counts` says otherwise. */
export async function startQuire(
  env: Record<string, string>,
  counts: Partial<Record<ServiceName, number>> = {},
): Promise<QuireProcesses> {
  const database = await createTestDatabase();
  const processes: ServiceProcess[] = [];
  const gateways: string[] = [];
  const base: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    REDIS_URL: await testRedisUrl(),
    DATABASE_URL: database.url,
    QDRANT_URL: qdrantUrl(),
    QDRANT_COLLECTION: uniqueCollection(),
    HOST: '127.0.0.1',
    PORT: '0',
    ...env,
  };
  const start = async (name: ServiceName, more: Record<string, string> = {}) => {
    const service = spawnService(name, { ...base, ...more });
    processes.push(service);
    const started = eventually(() => assertStarted(service));
    await Promise.race([started, failAtExit(service)]);
    if (name === 'gateway') gateways.push(gatewayUrl(service));
    return service;
  };
  const names: ServiceName[] = ['retrieval-worker', 'agent-worker', 'gateway'];
  await Promise.all(names.flatMap((name) => Array.from({ length: counts[name] ?? 1 }, () => start(name))));
  const [first = ''] = gateways;
  return {
    gateways,
    processes,
    env: base,
    start,
    quire: (...args) => runCli(args, base),
    ask: (body, path = '/chat', headers = {}) =>
      fetch(first + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async close() {
      await Promise.all(processes.map((service) => service.kill('SIGTERM')));
      await database.drop();
    },
  };
}

function spawnService(name: ServiceName, env: Record<string, string>): ServiceProcess {
  const child = spawn(process.execPath, [`services/${name}/dist/main.js`], { cwd: repoRoot, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  return {
    name,
    child,
    output: () => output,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}

async function failAtExit(service: ServiceProcess): Promise<never> {
  await once(service.child, 'close');
  throw new Error(`${service.name} has ended:\n${service.output()}`);
}

function assertStarted(service: ServiceProcess): void {
  if (!service.output().includes('"message":"Started"')) {
    throw new Error(`${service.name} has not started:\n${service.output()}`);
  }
}

/** Where a gateway process listens. */
export function gatewayUrl(service: ServiceProcess): string {
  return `http://127.0.0.1:${logLine(service, 'Listening').address?.port}`;
}

/** Where a process with METRICS_PORT=0 serves its metrics. */
export function metricsUrl(service: ServiceProcess): string {
  return `http://127.0.0.1:${logLine(service, 'Metrics are served').port}/metrics`;
}

function logLine(service: ServiceProcess, message: string) {
  const lines = service.output().split('\n');
  return JSON.parse(lines.find((text) => text.includes(`"message":"${message}"`)) ?? '{}') as {
    port?: number;
    address?: { port: number };
  };
}

async function runCli(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['tools/cli/bin/quire.js', ...args], { cwd: repoRoot, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

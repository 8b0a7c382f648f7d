import { existsSync } from 'node:fs';
import { request, type RequestOptions } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ANSWER_LIMIT_MS = 1_000;

/** Whether a Docker engine answers. Fast when there is none: an installed `docker` command alone means nothing. */
export async function dockerEngineAnswers(env: NodeJS.ProcessEnv): Promise<boolean> {
  const addresses = env.DOCKER_HOST
    ? [addressOf(env.DOCKER_HOST)]
    : socketsOf(env).map((socketPath) => ({ socketPath }));
  for (const address of addresses) {
    if (address && (await answersPing(address))) return true;
  }
  return false;
}

function socketsOf(env: NodeJS.ProcessEnv): string[] {
  return [
    '/var/run/docker.sock',
    join(env.XDG_RUNTIME_DIR ?? '/nonexistent', 'docker.sock'),
    join(homedir(), '.docker/run/docker.sock'),
    join(homedir(), '.colima/default/docker.sock'),
  ].filter((path) => existsSync(path));
}

function addressOf(dockerHost: string): RequestOptions | undefined {
  if (dockerHost.startsWith('unix://')) return { socketPath: dockerHost.slice('unix://'.length) };
  const { hostname, port } = new URL(dockerHost);
  return hostname ? { host: hostname, port: port || 2375 } : undefined;
}

function answersPing(address: RequestOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ ...address, path: '/_ping', timeout: ANSWER_LIMIT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy(new Error('no answer')));
    ping.on('error', () => resolve(false));
    ping.end();
  });
}

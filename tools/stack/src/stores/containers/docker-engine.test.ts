import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dockerEngineAnswers } from './docker-engine.js';

it('a Docker engine is found when its socket answers a ping', async () => {
  expect(await dockerEngineAnswers({ DOCKER_HOST: `unix://${await engineSocket(200)}` })).toBe(true);
});

it('a Docker engine is not found when another program answers', async () => {
  expect(await dockerEngineAnswers({ DOCKER_HOST: `unix://${await engineSocket(404)}` })).toBe(false);
});

it.each(['unix:///nonexistent/docker.sock', 'tcp://127.0.0.1:1', 'nonsense:'])(
  'a Docker engine is not found at %s',
  async (address) => {
    expect(await dockerEngineAnswers({ DOCKER_HOST: address })).toBe(false);
  },
);

async function engineSocket(status: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-docker-'));
  const server = createServer((_, response) => response.writeHead(status).end('OK')).listen(
    join(folder, 'engine'),
  );
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return join(folder, 'engine');
}

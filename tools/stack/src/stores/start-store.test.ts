import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startRedis } from './start-store.js';

it('a store without a program on this machine is reported with every source that was tried and a remedy per platform', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quire-nothing-'));
  chmodSync(dataDir, 0o755);
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { PATH: '/nonexistent', DOCKER_HOST: 'unix:///nonexistent' };
  await expect(startRedis({ dataDir, env })).rejects.toMatchObject({
    name: 'StackError',
    message: [
      'no way to run redis here: neither redis-server nor valkey-server is on PATH',
      'this is not a Debian or Ubuntu system, so its package cannot be fetched',
      'no Docker engine answers',
    ].join('; '),
    remedy: expect.stringMatching(/apt-get install redis-server.*brew install redis.*REDIS_URL/) as string,
  });
});

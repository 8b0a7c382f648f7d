import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRedis } from './start-store.js';

describe('a store that this machine has no program for', () => {
  it('is reported with every way that was tried and a remedy per platform', async () => {
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
});

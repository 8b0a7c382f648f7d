import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres, startQdrant, startRedis } from '../start-store.js';
import { dockerEngineAnswers } from './docker-engine.js';

const engine = await dockerEngineAnswers(process.env);

describe.skipIf(!engine)(
  'stores in containers — SKIPPED WITHOUT A DOCKER ENGINE, which this machine must have',
  () => {
    it.each([
      ['Redis', startRedis],
      ['Postgres', startPostgres],
      ['Qdrant', startQdrant],
    ])('%s starts, answers, and comes back on the same port after a kill', async (_, start) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'quire-containers-'));
      chmodSync(dataDir, 0o755);
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      const options = { dataDir, preferContainers: true, throwaway: true };
      const first = await start(options);
      expect(first.origin).toBe('container');
      await first.kill();
      const second = await start({ ...options, port: first.port });
      expect(second.url).toBe(first.url);
      await second.stop();
    });
  },
);

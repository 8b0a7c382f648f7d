import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { launchStore } from '../src/stores/launch-store.js';
import type { StoreProgram } from '../src/stores/store-program.js';
import { temporaryFolder } from './temporary-folder.js';

it('launching a store chooses another port when another program has taken the first one', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'lost-ports'), '2');
  const tried: number[] = [];
  const store = await launchStore(fakeProgram(dataDir, tried), { dataDir });
  expect(new Set(tried).size).toBe(3);
  expect(store.port).toBe(tried[2]);
  await store.stop();
});

it('launching a store on a given port does not choose another one', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'lost-ports'), '1');
  const launching = launchStore(fakeProgram(dataDir), { dataDir, port: 20_001 });
  await expect(launching).rejects.toThrow(
    'redis ended with code 1\n  FATAL: could not bind: Address already in use',
  );
});

it('launching a store reports an early exit with the last lines, and a full disk by name', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'no-disk'), '');
  await expect(launchStore(fakeProgram(dataDir), { dataDir })).rejects.toMatchObject({
    message: 'redis ended with code 2\n  could not write: No space left on device',
    remedy: expect.stringContaining('The disk is full') as string,
  });
});

it('launching a store reports a program that cannot be run', async () => {
  const dataDir = temporaryFolder();
  const program = fakeProgram(dataDir);
  const broken = {
    ...program,
    process: () => ({ ...program.process([1]), command: join(dataDir, 'missing') }),
  };
  await expect(launchStore(broken, { dataDir })).rejects.toThrow('ENOENT');
});

function fakeProgram(folder: string, tried: number[] = []): StoreProgram {
  return {
    name: 'redis',
    portCount: 1,
    process: ([port = 0]) => {
      tried.push(port);
      const script = join(import.meta.dirname, 'fixtures/fake-store.mjs');
      return { command: process.execPath, args: [script, String(port), folder], cwd: folder, env: {} };
    },
    url: (port) => `redis://127.0.0.1:${port}`,
    async probe(url) {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
      await once(socket, 'connect');
      socket.destroy();
    },
    announces: [],
    stopSignal: 'SIGTERM',
  };
}

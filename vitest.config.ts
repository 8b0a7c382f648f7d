import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const GLOBAL_SETUP = join(import.meta.dirname, 'tools/testkit/dist/global-setup.js');

/** `npm test -- --fast`: tests that need no store and no other process. */
const isFast = process.env['QUIRE_TEST_FAST'] === '1';

function project(folder: string, stores = true): TestProjectInlineConfiguration {
  const name = basename(folder);
  return {
    test: {
      name,
      root: join(import.meta.dirname, folder),
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      ...(isFast && { exclude: ['**/*.{integration,e2e}.test.ts'] }),
      globalSetup: stores && !isFast ? [GLOBAL_SETUP] : [],
      // Only a test that hangs meets these; a busy machine must not. Waits end sooner, as those of `eventually` do.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 120_000 } },
    },
  };
}

export default defineConfig({
  test: {
    // Many files wait for locks, leases and time limits to run out more than they work.
    maxWorkers: availableParallelism() + 1,
    projects: [
      project('libs/shared'),
      project('libs/book', false),
      project('libs/ingestion'),
      project('services/gateway'),
      project('services/agent-worker'),
      project('services/retrieval-worker'),
      project('tools/stack'),
      project('tools/scripted-providers', false),
      project('tools/cli'),
      project('tools/testkit'),
      project('bench', false),
      project('chaos'),
      project('e2e'),
    ],
  },
});

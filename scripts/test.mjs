import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkRepository } from './check-repository.mjs';
import { REPOSITORY } from './repository.mjs';
import { runCommand } from './run-command.mjs';
import { setup } from './setup.mjs';
import { countTests } from './test-counts.mjs';

const REPORT = join(REPOSITORY, 'test-results/vitest.json');
const isFast = process.argv.includes('--fast');
const vitestArguments = process.argv.slice(2).filter((argument) => argument !== '--fast');

await setup();
// Types, lint and layers are checked by the plain command alone: a run of chosen tests should be quick.
const total =
  !isFast && vitestArguments.length === 0 ? await checkRepository() : { passed: 0, failed: 0, skipped: 0 };
const tests = await runTests();
for (const key of Object.keys(total)) total[key] += tests[key];
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

async function runTests() {
  rmSync(REPORT, { force: true });
  mkdirSync(join(REPORT, '..'), { recursive: true });
  const { code } = await runCommand(
    process.execPath,
    [
      join(REPOSITORY, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${REPORT}`,
      ...vitestArguments,
    ],
    { env: isFast ? { QUIRE_TEST_FAST: '1' } : {} },
  );
  return countTests(REPORT, code);
}

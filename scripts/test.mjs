import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { auditDependencies } from './audit-dependencies.mjs';
import { REPOSITORY } from './repository.mjs';
import { npm, runCommand } from './run-command.mjs';
import { setup } from './setup.mjs';
import { countTests } from './test-counts.mjs';

const CHECKS = ['typecheck', 'lint', 'layers'];
const REPORT = join(REPOSITORY, 'test-results/vitest.json');
const vitestArguments = process.argv.slice(2);

await setup();
const total = { passed: 0, failed: 0, skipped: 0 };
// With arguments somebody works on a few tests: the checks of the whole repository would only be in the way.
if (vitestArguments.length === 0) {
  for (const check of CHECKS) total[(await passes(check)) ? 'passed' : 'failed'] += 1;
  total[await auditDependencies()] += 1;
}
const tests = await runTests();
for (const key of Object.keys(total)) total[key] += tests[key];
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

async function passes(check) {
  const started = Date.now();
  const { code, output } = await npm(['run', '-s', check], {
    quiet: true,
    env: { TURBO_TELEMETRY_DISABLED: '1' },
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${check} (${seconds} s)`);
  if (code !== 0) console.log(output);
  return code === 0;
}

async function runTests() {
  rmSync(REPORT, { force: true });
  mkdirSync(join(REPORT, '..'), { recursive: true });
  const { code } = await runCommand(process.execPath, [
    join(REPOSITORY, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...vitestArguments,
  ]);
  return countTests(REPORT, code);
}

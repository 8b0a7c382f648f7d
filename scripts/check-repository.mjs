import { auditDependencies } from './audit-dependencies.mjs';
import { npm } from './run-command.mjs';

const SCRIPTS = ['typecheck', 'lint', 'layers'];

/** Runs the checks of the whole repository, and counts them by outcome. */
export async function checkRepository() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const script of SCRIPTS) counts[(await passes(script)) ? 'passed' : 'failed'] += 1;
  counts[await auditDependencies()] += 1;
  return counts;
}

async function passes(script) {
  const started = Date.now();
  const { code, output } = await npm(['run', '-s', script], {
    quiet: true,
    env: { TURBO_TELEMETRY_DISABLED: '1' },
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${script} (${seconds} s)`);
  if (code !== 0) console.log(output);
  return code === 0;
}

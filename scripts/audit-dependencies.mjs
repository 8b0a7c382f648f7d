import { judgeAudit } from './judge-audit.mjs';
import { npm } from './run-command.mjs';

const MARKS = { passed: '✓', failed: '✗', skipped: '!' };

/** Asks the registry for known vulnerabilities of the shipped dependencies. */
export async function auditDependencies() {
  const { output } = await npm(['audit', '--omit=dev', '--audit-level=high', '--json'], { quiet: true });
  const { verdict, lines } = judgeAudit(output);
  console.log([`${MARKS[verdict]} audit`, ...lines].join('\n  '));
  return verdict;
}

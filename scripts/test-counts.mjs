import { readFileSync } from 'node:fs';

/**
 * Counts tests from vitest's JSON report. A file that failed without a failed test (it could not be loaded, a hook
 * threw) counts as one, and so does a run that failed for reasons of its own.
 */
export function countTests(reportFile, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const files = readReport(reportFile);
  for (const file of files ?? []) {
    const statuses = file.assertionResults.map((test) => test.status);
    const failed = statuses.filter((status) => status === 'failed').length;
    counts.passed += statuses.filter((status) => status === 'passed').length;
    counts.failed += file.status === 'failed' && failed === 0 ? 1 : failed;
    counts.skipped += statuses.filter((status) => status !== 'passed' && status !== 'failed').length;
  }
  if (counts.failed === 0 && (exitCode !== 0 || !files)) counts.failed = 1;
  return counts;
}

function readReport(reportFile) {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8')).testResults;
  } catch {
    return undefined;
  }
}

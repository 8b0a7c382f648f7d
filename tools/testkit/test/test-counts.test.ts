import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const script = new URL('../../../scripts/test-counts.mjs', import.meta.url).href;
const { countTests } = (await import(script)) as {
  countTests: (report: string, exitCode: number) => Counts;
};

it('the last line of npm test counts tests by outcome', () => {
  const report = reportOf([
    { status: 'failed', tests: ['passed', 'failed', 'pending'] },
    { status: 'passed', tests: ['passed', 'skipped', 'todo'] },
  ]);
  expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 3 });
});

it('the last line of npm test counts a file that could not be loaded as a failure', () => {
  const report = reportOf([
    { status: 'failed', tests: [] },
    { status: 'passed', tests: ['passed'] },
  ]);
  expect(countTests(report, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

it('the last line of npm test counts a file whose hook failed and skipped its tests as a failure', () => {
  expect(countTests(reportOf([{ status: 'failed', tests: ['skipped'] }]), 1)).toEqual({
    passed: 0,
    failed: 1,
    skipped: 1,
  });
});

it('the last line of npm test counts a failed run without a failed test as a failure', () => {
  expect(countTests(reportOf([{ status: 'passed', tests: ['passed'] }]), 1).failed).toBe(1);
  expect(countTests('/nonexistent', 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

it('the last line of npm test counts a run without a report as a failure, whatever its exit code', () => {
  expect(countTests('/nonexistent', 0).failed).toBe(1);
});

function reportOf(files: { status: string; tests: string[] }[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const testResults = files.map(({ status, tests }) => ({
    status,
    assertionResults: tests.map((test) => ({ status: test })),
  }));
  writeFileSync(join(folder, 'report.json'), JSON.stringify({ testResults }));
  return join(folder, 'report.json');
}

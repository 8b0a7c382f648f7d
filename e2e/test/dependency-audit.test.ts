import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repoRoot } from './quire-processes.js';

interface Judgement {
  verdict: string;
  lines: string[];
}
const { judgeAudit } = (await import(join(repoRoot, 'scripts/judge-audit.mjs'))) as {
  judgeAudit: (output: string) => Judgement;
};

const report = (vulnerabilities: Record<string, { severity: string }>) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      Object.entries(vulnerabilities).map(([name, { severity }]) => [name, { name, severity, range: '<2' }]),
    ),
    metadata: { vulnerabilities: {} },
  });

it.each([
  ['passed', 'nothing was found', report({})],
  [
    'passed',
    'what was found is not serious',
    report({ a: { severity: 'moderate' }, b: { severity: 'low' } }),
  ],
  ['failed', 'a high one was found', report({ a: { severity: 'moderate' }, b: { severity: 'high' } })],
  ['failed', 'a critical one was found', `npm warn something\n${report({ b: { severity: 'critical' } })}`],
  [
    'skipped',
    'the registry refuses',
    'npm warn audit 405\n{"message":"405","statusCode":405}\nnpm error log {}',
  ],
  ['skipped', 'the registry is away', '{"error":{"code":"ENOTFOUND","summary":"request failed"}}'],
  ['skipped', 'npm says nothing of use', 'npm error'],
  ['skipped', 'npm says nothing', ''],
])('an audit has %s when %s', (verdict, _what, output) => {
  expect(judgeAudit(output).verdict).toBe(verdict);
});

it('the audit names serious vulnerabilities, and warns when the registry gave no answer', () => {
  expect(judgeAudit(report({ b: { severity: 'high' } })).lines).toEqual(['high: b <2']);
  expect(judgeAudit('{"statusCode":405}').lines.join(' ')).toContain('NOT CHECKED');
});

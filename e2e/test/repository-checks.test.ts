import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repoRoot } from './quire-processes.js';

/** An npm that records its arguments; its audit has found a serious vulnerability. */
const fakeNpm = `
const { appendFileSync } = require('node:fs');
appendFileSync(__filename + '.asked', process.argv.slice(2).join(' ') + '\\n');
if (process.argv[2] === 'audit') {
  const vulnerabilities = { a: { name: 'a', severity: 'high', range: '<2' } };
  console.log(JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: {} } }));
}
`;

it('npm test checks types, lint, layers and known vulnerabilities of the shipped dependencies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const npm = join(folder, 'npm.js');
  writeFileSync(npm, fakeNpm);
  const script = `
    import { checkRepository } from ${JSON.stringify(join(repoRoot, 'scripts/check-repository.mjs'))};
    console.log(JSON.stringify(await checkRepository()));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, npm_execpath: npm },
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({ passed: 3, failed: 1, skipped: 0 });
  expect(readFileSync(`${npm}.asked`, 'utf8').trim().split('\n')).toEqual([
    'run -s typecheck',
    'run -s lint',
    'run -s layers',
    'audit --omit=dev --audit-level=high --json',
  ]);
});

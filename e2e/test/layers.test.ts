import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { repoRoot } from './quire-processes.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-layers-'));
  cpSync(join(repoRoot, 'layers.oxlintrc.json'), join(folder, 'layers.oxlintrc.json'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function check(files: Record<string, string>): { passed: boolean; output: string } {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const oxlint = join(repoRoot, 'node_modules/.bin/oxlint');
  const { status, stdout } = spawnSync(oxlint, ['-c', 'layers.oxlintrc.json', '.'], { cwd: folder });
  return { passed: status === 0, output: stdout.toString() };
}

it('the layers allow a service to import libs/shared', () => {
  const { passed, output } = check({
    'services/gateway/src/a.ts': `import { x } from '@quire/shared/errors';\nexport const y = x;\n`,
  });
  expect({ passed, output }).toMatchObject({ passed: true });
});

it.each([
  ['a service that imports another', 'services/gateway/src/a.ts', '@quire/agent-worker/run'],
  [
    'a service that reaches into another’s folder',
    'services/gateway/src/a.ts',
    '../../../services/agent-worker/src/x.js',
  ],
  ['a service that goes up into another', 'services/gateway/src/chat/a.ts', '../../../agent-worker/src/x.js'],
  ['a service that imports a tool', 'services/gateway/src/a.ts', '@quire/stack/stores'],
  ['a shared module that imports a service', 'libs/shared/src/a.ts', '@quire/gateway'],
  ['a library that imports the command line', 'libs/ingestion/src/a.ts', '@quire/cli'],
])('the layers refuse %s', (_title, path, specifier) => {
  const { passed, output } = check({ [path]: `import { x } from '${specifier}';\nexport const y = x;\n` });
  expect(passed).toBe(false);
  expect(output).toContain('no-restricted-imports');
});

it('the layers refuse an import cycle', () => {
  const { passed, output } = check({
    'libs/shared/src/a.ts': `import { b } from './b.js';\nexport const a = () => b;\n`,
    'libs/shared/src/b.ts': `import { a } from './a.js';\nexport const b = () => a;\n`,
  });
  expect(passed).toBe(false);
  expect(output).toContain('no-cycle');
});

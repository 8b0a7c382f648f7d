import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installMatchesLock } from './installed-packages.mjs';
import { REPOSITORY } from './repository.mjs';
import { npm, runCommand } from './run-command.mjs';

const OLDEST_NODE = [20, 19];

/** Everything a fresh clone needs before any of our code can run. Does nothing twice. */
export async function setup() {
  requireNode();
  if (!installMatchesLock()) await install();
  await build();
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(
    `Quire needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`,
    'Install a newer Node, e.g. from https://nodejs.org or with `nvm install`.',
  );
}

async function install() {
  console.log(
    existsSync(join(REPOSITORY, 'node_modules')) ? 'Updating dependencies …' : 'Installing dependencies …',
  );
  const { code } = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    fail(
      'The dependencies could not be installed.',
      'See the lines above: is the npm registry reachable, is there room on the disk?',
    );
  }
}

async function build() {
  const { code, output } = await runCommand(
    process.execPath,
    [join(REPOSITORY, 'node_modules/turbo/bin/turbo'), 'run', 'build', '--output-logs=errors-only'],
    { quiet: true, env: { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' } },
  );
  if (code === 0) return;
  console.error(output);
  fail('The build failed.', 'See the lines above; `npm run build` runs it alone.');
}

function fail(message, remedy) {
  console.error(`\n${message}\n${remedy}`);
  process.exit(1);
}

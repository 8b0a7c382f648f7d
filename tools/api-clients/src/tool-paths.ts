import { createRequire } from 'node:module';
import { join } from 'node:path';

export const PACKAGE = join(import.meta.dirname, '..');
const REPOSITORY = join(PACKAGE, '../..');

function scriptOf(packageName: string, script: string, from = PACKAGE): string {
  const manifest = createRequire(join(from, 'package.json')).resolve(`${packageName}/package.json`);
  return join(manifest, '..', script);
}

export const tools = {
  redocly: scriptOf('@redocly/cli', 'bin/cli.js'),
  openapiTypescript: scriptOf('openapi-typescript', 'bin/cli.js'),
  heyApi: scriptOf('@hey-api/openapi-ts', 'bin/run.js'),
  /** The generators' TypeScript and that of this repository: integrators use both. */
  compilers: [scriptOf('typescript', 'bin/tsc'), scriptOf('typescript', 'bin/tsc', REPOSITORY)],
} as const;

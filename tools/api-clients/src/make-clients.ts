import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Consumer } from './consumer.js';
import { runTool, type ToolOutcome } from './run-tool.js';
import { PACKAGE, tools } from './tool-paths.js';

/** As strict as an integrator's; also checks the types of libraries and generated code. */
const tsconfig = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: [],
    rootDir: '.',
    outDir: 'compiled',
  },
  include: ['*.ts', 'openapi-typescript', 'hey-api'],
};

/**
 * Makes a client from the document with each generator, as its documentation says, and compiles the clients and the
 * programs in `consumers/` that use them. Throws with the tools' output when any of that fails.
 */
export async function makeClients(
  document: object,
  folder: string,
): Promise<Record<'openapi-fetch' | 'hey-api', Consumer>> {
  await cp(join(PACKAGE, 'consumers'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await allSucceed([
    runTool(tools.openapiTypescript, ['openapi.json', '-o', 'openapi-typescript/schema.ts'], folder),
    runTool(
      tools.heyApi,
      ['-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch', '--no-log-file'],
      folder,
    ),
  ]);
  const [generatorsOwn, repositorys] = tools.compilers;
  await allSucceed([
    runTool(generatorsOwn, ['-p', folder], folder),
    runTool(repositorys, ['-p', folder, '--noEmit'], folder),
  ]);
  const load = async (name: string) =>
    (await import(pathToFileURL(join(folder, 'compiled', `${name}.js`)).href)) as Consumer;
  return { 'openapi-fetch': await load('use-openapi-fetch'), 'hey-api': await load('use-hey-api') };
}

async function allSucceed(runs: readonly Promise<ToolOutcome>[]): Promise<void> {
  const failures = (await Promise.all(runs)).filter(({ code }) => code !== 0);
  if (failures.length > 0) throw new Error(failures.map(({ output }) => output).join('\n'));
}

import { execFile } from 'node:child_process';
import { StackError } from '../stack-error.js';
import { ServiceSpecs } from '../service-specs.js';
import type { ServiceSpec } from '../supervisor/service-spec.js';

/** EX_CONFIG of sysexits.h: the program has listed the problems. */
const NOT_VALID = 78;

/** Any well-formed address: the stack replaces it by that of its own store. */
const OWN_STORES = {
  REDIS_URL: 'redis://127.0.0.1',
  DATABASE_URL: 'postgres://127.0.0.1/quire',
  QDRANT_URL: 'http://127.0.0.1',
};

/** Throws an error that lists the problems of all services with this environment, each once. */
export async function checkServices(repository: string, env: NodeJS.ProcessEnv): Promise<void> {
  const given = Object.entries(env).filter(([, value]) => value?.trim());
  const specs = new ServiceSpecs(repository, { ...OWN_STORES, ...Object.fromEntries(given) });
  const found = await Promise.all(specs.configurationChecks().map(problemsOf));
  const problems = [...new Set(found.flat())].sort();
  if (problems.length === 0) return;
  throw new StackError(
    ['the configuration is not valid; nothing was started:', ...problems.map((line) => `  - ${line}`)].join(
      '\n',
    ),
    'Correct these variables in the environment or in .env; .env.example describes each of them.',
  );
}

function problemsOf({ name, command, args, cwd, env }: ServiceSpec): Promise<string[]> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => {
      if (!error) return resolve([]);
      if (error.code === NOT_VALID) return resolve(stdout.split('\n').filter(Boolean));
      reject(
        new StackError(
          `the configuration of ${name} could not be checked:\n${stderr.trim() || error.message}`,
          'Is the build complete? `npm run build` runs it alone.',
          { cause: error },
        ),
      );
    });
  });
}

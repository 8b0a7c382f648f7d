import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { StackError } from '../stack-error.js';
import { lookalikes } from './lookalikes.js';

/** Shorter names resemble too many variables of a user's environment. */
const SHORTEST_ENVIRONMENT_NAME = 8;

/**
 * The environment, completed by the variables of `.env`; those that are set win. `notices` name unknown variables that
 * resemble known ones.
 */
export function readEnvironment(
  repository: string,
  env: NodeJS.ProcessEnv,
): { env: NodeJS.ProcessEnv; notices: string[] } {
  const file = variablesIn(join(repository, '.env'));
  const known = Object.keys(variablesIn(join(repository, '.env.example')));
  const inherited = Object.keys(env).filter((name) => name.length >= SHORTEST_ENVIRONMENT_NAME);
  const notices = [
    ...noticesOf(Object.keys(file), known, '.env'),
    ...noticesOf(inherited, known, 'the environment'),
  ];
  return { env: { ...file, ...env }, notices };
}

function noticesOf(names: readonly string[], known: readonly string[], where: string): string[] {
  return lookalikes(names, known).map(
    ({ name, meant }) => `Quire knows no variable ${name} (in ${where}): is ${meant} meant?`,
  );
}

function variablesIn(path: string): NodeJS.Dict<string> {
  if (!existsSync(path)) return {};
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new StackError(
      `${path} cannot be read: ${(error as Error).message}`,
      'Make it a text file that you may read, or remove it; the variables can also be set in the environment.',
      { cause: error },
    );
  }
}

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Surroundings } from './command-context.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The addresses of the embedded stack; its values are checked where they are used. */
export interface StackFile {
  file: string;
  redisUrl?: unknown;
  databaseUrl?: unknown;
  qdrantUrl?: unknown;
  qdrantApiKey?: unknown;
  collection?: unknown;
  gatewayUrl?: unknown;
}

/** Where an embedded stack that runs from this folder or checkout writes its addresses. */
export function stackFiles({ env, cwd }: Surroundings): string[] {
  const folders = env.QUIRE_DATA_DIR
    ? [resolve(repository, env.QUIRE_DATA_DIR)]
    : [join(cwd, '.quire'), join(repository, '.quire')];
  return [...new Set(folders.map((folder) => join(folder, 'stack.json')))];
}

export async function findStack(surroundings: Surroundings): Promise<StackFile | undefined> {
  for (const file of stackFiles(surroundings)) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return { ...contentOf(text), file };
  }
  return undefined;
}

function contentOf(text: string): object {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? content : {};
  } catch {
    return {};
  }
}

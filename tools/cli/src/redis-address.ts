import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '@quire/shared/config';
import { CommandFailure } from './command-failure.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

export interface Surroundings {
  env: Record<string, string | undefined>;
  cwd: string;
}

/** `REDIS_URL`, or the Redis of the embedded stack that runs from this folder or checkout. */
export async function redisAddress({ env, cwd }: Surroundings): Promise<string> {
  if (env.REDIS_URL) return checked(env.REDIS_URL, 'REDIS_URL');
  const folders = env.QUIRE_DATA_DIR
    ? [resolve(repository, env.QUIRE_DATA_DIR)]
    : [join(cwd, '.quire'), join(repository, '.quire')];
  const files = [...new Set(folders.map((folder) => join(folder, 'stack.json')))];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return checked(redisUrlIn(text), file);
  }
  throw new CommandFailure(
    `There is no Redis to talk to: start the embedded stack with \`npm start\`, or set REDIS_URL.\n` +
      `Looked for ${files.join(' and ')}.`,
  );
}

function redisUrlIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { redisUrl?: unknown } | null)?.redisUrl;
  } catch {
    return undefined;
  }
}

function checked(url: unknown, from: string): string {
  const parsed = environment.REDIS_URL.safeParse(url);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(`${from} does not hold a redis:// or rediss:// URL.`);
}

import { writeFile } from 'node:fs/promises';
import { CommandFailure } from '../command-failure.js';

export const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, asJson(value)).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${path} cannot be written: ${error.code ?? error.message}.`);
  });
}

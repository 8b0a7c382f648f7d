import { existsSync } from 'node:fs';
import { CommandFailure } from './command-failure.js';

/** Variables that are set already win over the file, as in `npm start`. */
export function loadEnvFile(path: string): void {
  if (!existsSync(path)) return;
  try {
    process.loadEnvFile(path);
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${(error as Error).message}`);
  }
}

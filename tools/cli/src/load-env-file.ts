import { existsSync } from 'node:fs';
import { CommandFailure } from './command-failure.js';

/** As `npm start` does: what is set already wins over the file. */
export function loadEnvFile(path: string): void {
  if (!existsSync(path)) return;
  try {
    process.loadEnvFile(path);
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${(error as Error).message}`);
  }
}

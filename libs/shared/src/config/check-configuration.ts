import { InvalidConfiguration } from './load-config.js';

/** EX_CONFIG of sysexits.h. */
const NOT_VALID = 78;

/** Exits with 0 if the environment is a valid configuration, otherwise with 78 and one problem per line. */
export function checkConfiguration(load: () => unknown): void {
  try {
    load();
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    process.stdout.write(error.problems.map((problem) => `${problem}\n`).join(''));
    process.exitCode = NOT_VALID;
  }
}

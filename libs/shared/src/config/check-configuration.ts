import { InvalidConfiguration } from './load-config.js';

/** EX_CONFIG of sysexits.h. */
const NOT_VALID = 78;

/** Ends the process with 0 if the environment configures a service, else with 78 and one problem on each line. */
export function checkConfiguration(load: () => unknown): void {
  try {
    load();
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    process.stdout.write(error.problems.map((problem) => `${problem}\n`).join(''));
    process.exitCode = NOT_VALID;
  }
}

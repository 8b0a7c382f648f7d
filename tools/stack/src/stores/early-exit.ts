import type { ProcessExit } from '../processes/guarded-process.js';
import { StackError } from '../stack-error.js';
import { STORE_VARIABLES } from './external-store.js';
import type { StoreName } from './running-store.js';

const PORT_TAKEN = /address already in use/i;
const DISK_FULL = /no space left on device|ENOSPC/i;

/** A store's server that exited before it was ready. */
export class EarlyExit extends StackError {
  readonly portTaken: boolean;
  readonly lines: readonly string[];

  constructor(name: StoreName, what: string, lines: readonly string[]) {
    const text = lines.join('\n');
    super([`${name} ${what}`, ...lines.map((line) => `  ${line}`)].join('\n'), remedyFor(name, text));
    this.portTaken = PORT_TAKEN.test(text);
    this.lines = lines;
  }
}

export function describeExit({ code, signal }: ProcessExit): string {
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}

function remedyFor(name: StoreName, text: string): string {
  if (DISK_FULL.test(text))
    return 'The disk is full: free some space, or set QUIRE_DATA_DIR to another disk.';
  if (PORT_TAKEN.test(text)) return 'Another program holds the port: stop it, or let Quire choose a port.';
  return `Look at the lines above; to use a ${name} of your own instead, set ${STORE_VARIABLES[name]}.`;
}

import { commandLine, parentOf } from './process-identity.js';

const CHECK_MS = 1_000;
const SHELL = /^(\S*\/)?\w*sh -c /;

/**
 * Calls back when the npm that started this process is gone: a killed npm passes no signal on, and the stack would run
 * on without a terminal. Does nothing if npm did not start this process.
 */
export function watchLauncher(env: NodeJS.ProcessEnv, onGone: () => void): NodeJS.Timeout | undefined {
  if (!env.npm_lifecycle_event) return undefined;
  const started = launchers();
  return setInterval(() => {
    if (launchers().join() !== started.join()) onGone();
  }, CHECK_MS).unref();
}

/** npm runs scripts through a shell, which may stay as the parent or replace itself by this process. */
function launchers(): (number | undefined)[] {
  const parent = process.ppid;
  return SHELL.test(commandLine(parent) ?? '') ? [parent, parentOf(parent)] : [parent];
}

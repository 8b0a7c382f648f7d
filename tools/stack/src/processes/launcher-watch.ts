import { commandLine, parentOf } from './process-identity.js';

const CHECK_MS = 1_000;
const SHELL = /^(\S*\/)?\w*sh -c /;

/**
 * Calls back when the npm that started us is gone. Killed, it cannot pass its end on, and running on unseen would be
 * an orphan of another kind. Does nothing when we were not started by npm.
 */
export function watchLauncher(env: NodeJS.ProcessEnv, onGone: () => void): NodeJS.Timeout | undefined {
  if (!env.npm_lifecycle_event) return undefined;
  const started = launchers();
  return setInterval(() => {
    if (launchers().join() !== started.join()) onGone();
  }, CHECK_MS).unref();
}

/** npm runs scripts through a shell, which may stay between us or replace itself by us. */
function launchers(): (number | undefined)[] {
  const parent = process.ppid;
  return SHELL.test(commandLine(parent) ?? '') ? [parent, parentOf(parent)] : [parent];
}

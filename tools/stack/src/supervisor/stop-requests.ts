import { watchLauncher } from '../processes/launcher-watch.js';

export type StopRequest = { reason: 'signal'; signal: NodeJS.Signals } | { reason: 'crash'; error: unknown };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the Ctrl-C that the terminal has already sent us: one keystroke, two signals. */
const SAME_KEYSTROKE_MS = 500;

export interface StopRequests {
  first: Promise<StopRequest>;
  /** The user asks again: they will not wait. */
  second: Promise<void>;
  dispose(): void;
}

/** Every way in which the outside world, or a bug of ours, asks the stack to end. */
export function listenForStop(): StopRequests {
  let askedAt: number | undefined;
  let resolveFirst: (request: StopRequest) => void = () => {};
  let resolveSecond: () => void = () => {};
  const first = new Promise<StopRequest>((resolve) => (resolveFirst = resolve));
  const second = new Promise<void>((resolve) => (resolveSecond = resolve));

  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt !== undefined && Date.now() - askedAt > SAME_KEYSTROKE_MS) resolveSecond();
    askedAt ??= Date.now();
    resolveFirst({ reason: 'signal', signal });
  };
  const onCrash = (error: unknown) => resolveFirst({ reason: 'crash', error });
  // Our output has no reader any more: the terminal was closed, or the `head` after a pipe has ended.
  const onOutputClosed = () => onSignal('SIGHUP');

  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', onCrash).on('unhandledRejection', onCrash);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onOutputClosed);
  const launcherWatch = watchLauncher(process.env, () => onSignal('SIGHUP'));
  return {
    first,
    second,
    dispose() {
      clearInterval(launcherWatch);
      for (const signal of SIGNALS) process.off(signal, onSignal);
      process.off('uncaughtException', onCrash).off('unhandledRejection', onCrash);
    },
  };
}

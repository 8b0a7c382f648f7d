import type { StackConsole } from '../console.js';
import { StackError } from '../stack-error.js';
import { listenForStop, type StopRequest } from './stop-requests.js';
import type { Supervisor } from './supervisor.js';

type End = StopRequest | { reason: 'failure'; error: unknown };

/**
 * Brings the stack up and waits for its end, which may come at any moment of either. Resolves with the exit code
 * when nothing runs any more.
 */
export async function superviseUntilStopped(
  supervisor: Supervisor,
  bringUp: () => Promise<void>,
  console: StackConsole,
): Promise<number> {
  const requests = listenForStop();
  const end = await Promise.race<End>([
    requests.first,
    supervisor.failure.then((error) => ({ reason: 'failure', error })),
    failureOf(bringUp),
  ]);
  if (end.reason !== 'signal') report(end.error, console);
  console.say('Stopping …');
  const killed = requests.second.then(() => supervisor.kill());
  await Promise.race([supervisor.stop(), killed]);
  requests.dispose();
  console.say('Stopped.');
  return end.reason === 'signal' ? 0 : 1;
}

async function failureOf(bringUp: () => Promise<void>): Promise<End> {
  try {
    await bringUp();
  } catch (error) {
    return { reason: 'failure', error };
  }
  return await new Promise(() => {});
}

function report(error: unknown, console: StackConsole): void {
  if (error instanceof StackError) console.fail(error.message, error.remedy);
  else console.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

import type { Asking } from './asking.js';
import { endingOfRun, jsonIn, type RunBody } from './read-ending.js';

const POLL_MS = 250;

/** Polls a run until it has ended. */
export async function pollRun(asking: Asking, runId: string): Promise<void> {
  for (;;) {
    const response = await asking.call(`/chat/${runId}`);
    if (response?.status === 404) {
      asking.view.unexpected.push(`GET /chat/${runId} 404`);
      return;
    }
    const run = response?.ok ? await jsonIn<RunBody>(response) : undefined;
    const ending = run && endingOfRun(run);
    if (ending) {
      asking.view.responseEndings.push(ending);
      return;
    }
    if (response?.ok) await asking.pause(POLL_MS);
    else await asking.changeGateway();
  }
}

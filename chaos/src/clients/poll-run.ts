import type { Asking } from './asking.js';
import { endingOfRun, type RunBody } from './read-ending.js';

const POLL_MS = 250;

/** Polls a run until it has ended. */
export async function pollRun(asking: Asking, runId: string): Promise<void> {
  for (;;) {
    const response = await asking.call(`/chat/${runId}`);
    if (response?.status === 404) {
      asking.view.surprises.push(`GET /chat/${runId} 404`);
      return;
    }
    const ending = response?.ok ? await endingIn(response) : undefined;
    if (ending) {
      asking.view.toldEndings.push(ending);
      return;
    }
    if (response?.ok) await asking.pause(POLL_MS);
    else await asking.changeGateway();
  }
}

async function endingIn(response: Response) {
  try {
    return endingOfRun((await response.json()) as RunBody);
  } catch {
    return undefined;
  }
}

import type { Asking } from './asking.js';
import { endingsOf } from './client-view.js';
import { jsonIn } from './read-ending.js';

/** Sends `DELETE` until a gateway responds, or the run has ended in the meantime. */
export async function cancelRun(asking: Asking, runId: string): Promise<void> {
  const { view } = asking;
  view.cancelAsked = true;
  while (endingsOf(view).length === 0) {
    const response = await asking.call(`/chat/${runId}`, { method: 'DELETE' });
    const body = response?.ok ? await jsonIn<{ state: string }>(response) : undefined;
    if (body) {
      view.cancelState = body.state;
      return;
    }
    await asking.changeGateway();
  }
}

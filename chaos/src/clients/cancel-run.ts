import type { Asking } from './asking.js';
import { endingsOf } from './client-view.js';

/** `DELETE` until a gateway has taken it, or the run has ended in the meantime. */
export async function cancelRun(asking: Asking, runId: string): Promise<void> {
  const { view } = asking;
  view.cancelAsked = true;
  while (endingsOf(view).length === 0) {
    const response = await asking.call(`/chat/${runId}`, { method: 'DELETE' });
    const body = response?.ok ? await stateIn(response) : undefined;
    if (body) {
      view.cancelSaid = body.state;
      return;
    }
    await asking.changeGateway();
  }
}

async function stateIn(response: Response): Promise<{ state: string } | undefined> {
  try {
    return (await response.json()) as { state: string };
  } catch {
    return undefined;
  }
}

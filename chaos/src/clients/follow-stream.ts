import type { Asking } from './asking.js';
import { endingsOf } from './client-view.js';
import { pollRun } from './poll-run.js';
import { readEvents, type Reading } from './read-events.js';

export interface FollowingOptions extends Reading {
  /** The number of events after which the client closes each connection; later connections stay open. */
  cutsAfter?: number[];
  /** Whether the client does not reconnect after it has closed a connection. */
  leaves?: boolean;
}

/** Asks for a stream and follows it to its end, on the other gateway after each disconnect. */
export async function followStream(asking: Asking, options: FollowingOptions = {}): Promise<void> {
  const cuts = [...(options.cutsAfter ?? [])];
  const { view } = asking;
  while (!isOver(asking)) {
    const [runId] = view.runIds;
    const hangUp = new AbortController();
    const response =
      runId === undefined
        ? await asking.ask('/chat/stream', {}, hangUp.signal)
        : await resume(asking, runId, hangUp.signal);
    if (!response) continue;
    const cutAfter = cuts.shift();
    await readEvents(asking, response, {
      ...options,
      hungUp: hangUp.signal,
      onEvent(count) {
        options.onEvent?.(count);
        if (count === cutAfter) hangUp.abort();
      },
    });
    view.hasLeft = hangUp.signal.aborted && options.leaves === true && !isOver(asking);
    if (!isOver(asking)) await asking.changeGateway();
  }
}

/** Returns undefined if the response is no stream: the outcome is known then, or the caller tries again. */
async function resume(asking: Asking, runId: string, cut: AbortSignal): Promise<Response | undefined> {
  const position = asking.view.events.findLast(({ id }) => id !== undefined)?.id;
  asking.view.resumes += 1;
  const response = await asking.call(`/chat/${runId}/stream`, {
    headers: {
      accept: 'text/event-stream',
      ...(position !== undefined && { 'last-event-id': String(position) }),
    },
    cut,
  });
  if (response?.status === 200) return response;
  if (response?.status === 204) await pollRun(asking, runId);
  else if (response?.status === 404) asking.view.unexpected.push(`GET /chat/${runId}/stream 404`);
  else await asking.changeGateway();
  return undefined;
}

function isOver({ view }: Asking): boolean {
  return view.hasLeft || endingsOf(view).length > 0 || view.unexpected.length > 0;
}

import type { Asking } from './asking.js';
import { endingsOf } from './client-view.js';
import { pollRun } from './poll-run.js';
import { readEvents, type Reading } from './read-events.js';

export interface FollowingOptions extends Reading {
  /** The client hangs up after so many events of a connection; one number for each connection, then it stays. */
  cutsAfter?: number[];
  /** It does not reconnect after it has disconnected. */
  staysAway?: boolean;
}

/** Asks for a stream and follows it to its end, on whichever gateway is there. */
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
    view.hasLeft = hangUp.signal.aborted && options.staysAway === true && !isOver(asking);
    if (!isOver(asking)) await asking.changeGateway();
  }
}

/** Nothing where there is no stream to be had: then its end is known, or the next try follows. */
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
  else if (response?.status === 404) asking.view.surprises.push(`GET /chat/${runId}/stream 404`);
  else await asking.changeGateway();
  return undefined;
}

function isOver({ view }: Asking): boolean {
  return view.hasLeft || endingsOf(view).length > 0 || view.surprises.length > 0;
}

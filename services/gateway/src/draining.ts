import { once } from 'node:events';
import type { Server } from 'node:http';
import { DependencyUnavailable } from '@quire/shared/errors';
import { PeriodicTask, timeBudgets, within } from '@quire/shared/time';

const CLOSE_IDLE_EVERY_MS = 100;
/** After the grace, for the last responses to be written. */
const LAST_RESPONSES_MS = timeBudgets.stop.disconnectMs;

/** Shutdown: new work is refused at once, streams end so that they resume elsewhere, callers that wait get a grace. */
export class Draining {
  private readonly startController = new AbortController();
  private readonly overdueController = new AbortController();

  /** Fires when the process begins to stop. */
  readonly started: AbortSignal = this.startController.signal;
  /** Fires when the grace for callers that wait for JSON is over; its reason is the error to respond with. */
  readonly overdue: AbortSignal = this.overdueController.signal;

  begin(): void {
    this.startController.abort();
  }

  endGrace(): void {
    this.overdueController.abort(shuttingDown());
  }

  refuseNewWork(): void {
    if (this.started.aborted) throw shuttingDown();
  }
}

/** Closes a server: each connection when its response is written; after the grace, all of them. */
export async function closeServer(server: Server, draining: Draining, graceMs: number): Promise<void> {
  const closed = once(server, 'close').then(() => true);
  server.close();
  // close() ends only the connections that are idle now; others become idle when their response is written.
  const closingIdle = new PeriodicTask(CLOSE_IDLE_EVERY_MS, async () => server.closeIdleConnections());
  closingIdle.start();
  if (!(await within(graceMs, closed, false))) {
    draining.endGrace();
    await within(LAST_RESPONSES_MS, closed);
  }
  await closingIdle.stop();
  server.closeAllConnections();
}

function shuttingDown(): DependencyUnavailable {
  return new DependencyUnavailable('SHUTTING_DOWN', 'This gateway is stopping, try again', {
    retryAfterSeconds: 1,
  });
}

import { DependencyUnavailable } from '@quire/shared/errors';

/** The way down: no new work at once, streams end so that they resume elsewhere, waiting callers get a grace. */
export class Draining {
  private readonly startController = new AbortController();
  private readonly overdueController = new AbortController();

  /** Fires when the process begins to stop. */
  readonly started: AbortSignal = this.startController.signal;
  /** Fires when the grace for callers that wait for JSON is over; its reason is the error to answer with. */
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

function shuttingDown(): DependencyUnavailable {
  return new DependencyUnavailable('SHUTTING_DOWN', 'This gateway is stopping, try again', {
    retryAfterSeconds: 1,
  });
}

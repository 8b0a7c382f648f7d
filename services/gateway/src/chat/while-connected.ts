import { setMaxListeners } from 'node:events';
import type { ChatRequest } from '@quire/shared/contracts';
import { keepWithoutClient, setAbandoned, type Database, type NewRun } from '@quire/shared/database';
import type { Response } from 'express';
import type { Draining } from '../draining.js';
import { contextOf } from '../http/request-context.js';

export interface ConnectionDependencies {
  db: Database;
  draining: Draining;
}

/** What serving a client needs of a run. The question is not kept in memory for as long as a stream lasts. */
export interface FollowedRun extends Pick<NewRun, 'id' | 'deadlineAt'> {
  /** The run is to be cancelled when no client follows it any more. */
  needsClient: boolean;
  abandoned: boolean;
}

export function followedRun({
  id,
  deadlineAt,
  request,
  abandoned = false,
}: NewRun & { abandoned?: boolean }): FollowedRun {
  return { id, deadlineAt, needsClient: request.on_disconnect === 'cancel', abandoned };
}

/**
 * Serves a client of a run until the run has ended, the client has left, or `stop` fires. A client that leaves a run
 * with `on_disconnect: cancel` abandons it: a worker cancels it after a grace, unless a client follows it again.
 * Returns whether the client was served to the run's end.
 */
export async function whileConnected(
  deps: ConnectionDependencies,
  res: Response,
  run: FollowedRun,
  stop: AbortSignal,
  serve: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const connection = new Connection(deps, res, run, stop);
  if (run.abandoned) await connection.noteAbandoned(false);
  // Not awaited here: this call would keep `serve`, and all that it refers to, for as long as a stream lasts.
  return serve(connection.signal).then(
    () => connection.end(false),
    (error: unknown) => connection.fail(error),
  );
}

/** A client's connection to a run. */
class Connection {
  private readonly ending = new AbortController();

  constructor(
    private readonly deps: ConnectionDependencies,
    private readonly res: Response,
    private readonly run: FollowedRun,
    private readonly stop: AbortSignal,
  ) {
    // One listener for each client that is served.
    setMaxListeners(0, stop);
    stop.addEventListener('abort', this.abort);
    res.on('close', this.abort);
    // Either may have happened already.
    this.abort();
  }

  /** Fires when the client has left, or is to be served no longer. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  async fail(error: unknown): Promise<never> {
    await this.end(true);
    throw error;
  }

  /** Returns whether the client was served to the run's end. */
  async end(hasFailed: boolean): Promise<boolean> {
    this.stop.removeEventListener('abort', this.abort);
    this.res.off('close', this.abort);
    const hasLeft = contextOf(this.res).isClientGone && !this.deps.draining.started.aborted;
    // The reconnect failed: the run is still abandoned.
    const isStillAbandoned = hasFailed && this.run.abandoned;
    if ((hasLeft || isStillAbandoned) && this.run.needsClient) await this.noteAbandoned(true);
    return !this.signal.aborted;
  }

  noteAbandoned(abandoned: boolean): Promise<void> {
    const { run, res, deps } = this;
    return setAbandoned(deps.db, run.id, abandoned).catch((error: unknown) =>
      contextOf(res).log.warn(
        { stage: 'gateway', run_id: run.id, error },
        abandoned ? 'Could not mark the run as abandoned' : 'Could not mark the run as followed again',
      ),
    );
  }

  private readonly abort = (): void => {
    if (this.stop.aborted || contextOf(this.res).isClientGone) this.ending.abort(this.stop.reason);
  };
}

/**
 * For a client that has come back to a run with `respond-async`: the run goes on without a client. If the body asks for
 * `on_disconnect: cancel`, that holds for clients that follow the run from now on.
 */
export async function keepForLater(
  { db }: Pick<ConnectionDependencies, 'db'>,
  run: NewRun,
  onDisconnect: ChatRequest['on_disconnect'],
): Promise<void> {
  if (run.request.on_disconnect !== 'cancel') return;
  if (onDisconnect === 'cancel') await setAbandoned(db, run.id, false);
  else await keepWithoutClient(db, run.id);
}

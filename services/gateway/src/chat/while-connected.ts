import { setMaxListeners } from 'node:events';
import type { ChatRequest } from '@quire/shared/contracts';
import { keepWithoutClient, setAbandoned, type Database, type NewRun } from '@quire/shared/database';
import type { Response } from 'express';
import type { Draining } from '../draining.js';
import { contextOf } from '../http/request-context.js';
import type { FollowedRun } from './followed-run.js';

export interface ConnectionDependencies {
  db: Database;
  draining: Draining;
}

/**
 * Serves a client of a run until it is served, has gone, or this gateway stops it. A client that goes leaves the run
 * abandoned if the run is to be cancelled then; a worker does so after a grace, unless somebody has come back.
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
  if (run.abandoned) await connection.note(false);
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

  /** Fires when the client has gone, or is to be served no longer. */
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
    // A client that is told to try again has not come back yet.
    const isStillAway = hasFailed && this.run.abandoned;
    if ((hasLeft || isStillAway) && this.run.needsClient) await this.note(true);
    return !this.signal.aborted;
  }

  note(abandoned: boolean): Promise<void> {
    const { run, res, deps } = this;
    return setAbandoned(deps.db, run.id, abandoned).catch((error: unknown) =>
      contextOf(res).log.warn(
        { stage: 'gateway', run_id: run.id, error },
        'Could not note whether a client is there',
      ),
    );
  }

  private readonly abort = (): void => {
    if (this.stop.aborted || contextOf(this.res).isClientGone) this.ending.abort(this.stop.reason);
  };
}

/**
 * Somebody has come back to a run without waiting for it: it goes on without a client. If the body asks for it to be
 * cancelled all the same, that is for those who follow it from now on.
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

import type { ChatRequest } from '@quire/shared/contracts';
import { keepWithoutClient, setAbandoned, type Database, type NewRun } from '@quire/shared/database';
import { withLinkedSignal } from '@quire/shared/process';
import type { Response } from 'express';
import type { Draining } from '../draining.js';
import { contextOf } from '../http/request-context.js';

export interface ConnectionDependencies {
  db: Database;
  draining: Draining;
}

/**
 * Serves a client of a run until it is served, has gone, or this gateway stops it. A client that goes leaves the run
 * abandoned if the run is to be cancelled then; a worker does so after a grace, unless somebody has come back.
 * Answers whether the client was served to the run's end.
 */
export async function whileConnected(
  { db, draining }: ConnectionDependencies,
  res: Response,
  run: NewRun & { abandoned?: boolean },
  stop: AbortSignal,
  serve: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const { clientGone, log } = contextOf(res);
  const note = (abandoned: boolean) =>
    setAbandoned(db, run.id, abandoned).catch((error: unknown) =>
      log.warn({ stage: 'gateway', run_id: run.id, error }, 'Could not note whether a client is there'),
    );
  if (run.abandoned) await note(false);
  let hasFailed = true;
  try {
    await withLinkedSignal([clientGone, stop], serve);
    hasFailed = false;
  } finally {
    const hasLeft = clientGone.aborted && !draining.started.aborted;
    // Whoever is told to try again has not come back yet.
    const isStillAway = hasFailed && run.abandoned;
    if ((hasLeft || isStillAway) && run.request.on_disconnect === 'cancel') await note(true);
  }
  return !clientGone.aborted && !stop.aborted;
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

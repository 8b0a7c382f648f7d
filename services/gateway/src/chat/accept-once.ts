import { findRunByKey, freeKey, type NewRun, type Run } from '@quire/shared/database';
import { Conflict, httpStatusOf } from '@quire/shared/errors';
import { acceptRun, type AcceptDependencies, type Acceptance } from './accept-run.js';
import { queueUnavailable } from '../http/queue-unavailable.js';

/** Callers with one key that come at the same moment can take it from each other only so often. */
const TRIES = 3;

export type Accepted = { run: NewRun; replayed: false } | { run: Run; replayed: true };

/**
 * Accepts a question, or finds the run that the caller's Idempotency-Key names. A run that failed because something
 * was away gives its key back: whoever tries again is to get an answer, not the same failure.
 * @param admit whether the caller may ask one more; what is replayed costs nothing, so it is asked behind the look-up
 */
export async function acceptOnce(
  deps: AcceptDependencies,
  acceptance: Acceptance,
  admit: () => Promise<void>,
): Promise<Accepted> {
  const { tenant, idempotency } = acceptance;
  let isAdmitted = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const known = idempotency && (await findRunByKey(deps.db, tenant, idempotency.key));
    if (known) {
      if (known.idempotency?.bodyHash !== idempotency.bodyHash) throw keyConflict();
      if (!isWorthAnotherTry(known)) return { run: known, replayed: true };
      await freeKey(deps.db, known.id);
    }
    if (!isAdmitted) await admit();
    isAdmitted = true;
    const run = await acceptRun(deps, acceptance);
    if (run) return { run, replayed: false };
  }
  throw queueUnavailable();
}

function isWorthAnotherTry({ outcome }: Run): boolean {
  return outcome?.type === 'failed' && httpStatusOf[outcome.data.error_code] === 503;
}

function keyConflict(): Conflict {
  return new Conflict('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request body');
}

import { setTimeout as sleep } from 'node:timers/promises';
import { finishRun, type Database } from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';

const LOOK_EVERY_MS = 250;
/** From the first answer of Postgres; what was on its way to it has arrived or is lost by then. */
const LOOK_FOR_MS = 15_000;
const GIVE_UP_AFTER_MS = 120_000;

/**
 * Closes the row of a run whose acceptance got no answer, should the row turn up: its caller was told to try again, and
 * must not find that the first try was executed as well.
 */
export async function withdrawRun(db: Database, runId: string, refusal: unknown, log: Logger): Promise<void> {
  const { code, message } = classifyError(refusal);
  const outcome = { type: 'failed', data: { request_id: runId, error_code: code, message } } as const;
  const startedAt = Date.now();
  let answeredAt: number | undefined;
  while (Date.now() - startedAt < GIVE_UP_AFTER_MS) {
    const closed = await finishRun(db, runId, outcome).catch(() => undefined);
    if (closed)
      log.info({ stage: 'gateway', run_id: runId }, 'A run that was refused has turned up and is closed');
    if (closed) return;
    if (closed === false) answeredAt ??= Date.now();
    if (answeredAt !== undefined && Date.now() - answeredAt > LOOK_FOR_MS) return;
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
  }
}

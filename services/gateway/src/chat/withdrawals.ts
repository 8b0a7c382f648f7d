import type { RunOutcome } from '@quire/shared/contracts';
import {
  ATTEMPT_BEFORE_FIRST,
  findRun,
  finishRun,
  unfinishedAmong,
  type Database,
  type NewRun,
} from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import { PeriodicTask, timeBudgets, within } from '@quire/shared/time';

/** The refusal of a question waits no longer than this for Postgres. */
const CLOSE_LIMIT_MS = 500;
const CHECK_EVERY_MS = 250;
/** From the first reply of Postgres on; an insert that was under way has taken effect or is lost by then. */
const CHECK_FOR_MS = timeBudgets.run.withdrawMs;
const GIVE_UP_AFTER_MS = 120_000;
/** Bounds what one outage leaves to check; beyond it the oldest are given up. */
const MAX_WITHDRAWN = 10_000;

/** `begun`: the run was claimed or has ended, so it stands. `unknown`: its row may still appear. */
export type Standing = 'closed' | 'begun' | 'unknown';

interface Withdrawn {
  outcome: RunOutcome;
  hasKey: boolean;
  refusedAt: number;
  /** When Postgres replied for the first time since. */
  repliedAt?: number;
}

/**
 * Closes the rows of refused runs whose insert may have taken effect, also if they appear late: their callers were told
 * to try again, and the first try must not be executed as well.
 */
export class Withdrawals {
  private readonly withdrawn = new Map<string, Withdrawn>();
  readonly lateRowCheck = new PeriodicTask(CHECK_EVERY_MS, async () => {
    // While Postgres is away, the next pass tries again.
    await this.closeLateRows().catch(() => {});
    this.forgetOld();
  });

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {}

  /** Closes the row of a run that no worker has claimed; if that cannot be done at once, as soon as it can. */
  async withdraw(run: Pick<NewRun, 'id' | 'idempotency'>, refusal: unknown): Promise<Standing> {
    const outcome = refusedOutcome(run.id, refusal);
    const standing = await within(CLOSE_LIMIT_MS, this.close(run.id, outcome), 'unknown' as const);
    if (standing === 'unknown') this.add(run, outcome);
    return standing;
  }

  private async close(runId: string, outcome: RunOutcome): Promise<Standing> {
    try {
      if (await finishRun(this.db, runId, outcome, ATTEMPT_BEFORE_FIRST)) return 'closed';
      return (await findRun(this.db, runId)) ? 'begun' : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  private add({ id, idempotency }: Pick<NewRun, 'id' | 'idempotency'>, outcome: RunOutcome): void {
    this.withdrawn.set(id, { outcome, hasKey: idempotency !== undefined, refusedAt: Date.now() });
    const [oldest] = this.withdrawn.keys();
    if (this.withdrawn.size > MAX_WITHDRAWN && oldest !== undefined) this.withdrawn.delete(oldest);
  }

  private async closeLateRows(): Promise<void> {
    if (this.withdrawn.size === 0) return;
    const checked = [...this.withdrawn];
    const unfinished = await unfinishedAmong(this.db, [...this.withdrawn.keys()]);
    for (const [runId, withdrawn] of checked) {
      withdrawn.repliedAt ??= Date.now();
      if (!unfinished.has(runId)) continue;
      const { outcome, hasKey } = withdrawn;
      // A retry with the same key returns this run, so it stands once a worker executes it.
      const isClosed = await finishRun(this.db, runId, outcome, hasKey ? ATTEMPT_BEFORE_FIRST : undefined);
      this.withdrawn.delete(runId);
      const about = { stage: 'gateway', run_id: runId };
      if (isClosed) this.log.info(about, 'Refused run closed');
      else this.log.warn(about, 'Refused run is already executing or has ended');
    }
  }

  private forgetOld(): void {
    const now = Date.now();
    for (const [runId, { refusedAt, repliedAt = Infinity }] of this.withdrawn) {
      if (now - refusedAt > GIVE_UP_AFTER_MS || now - repliedAt > CHECK_FOR_MS) this.withdrawn.delete(runId);
    }
  }
}

function refusedOutcome(runId: string, refusal: unknown): RunOutcome {
  const { code, message, retryAfterSeconds } = classifyError(refusal);
  return {
    type: 'failed',
    data: {
      request_id: runId,
      error_code: code,
      message,
      ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    },
  };
}

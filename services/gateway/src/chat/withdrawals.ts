import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOutcome } from '@quire/shared/contracts';
import {
  ATTEMPT_BEFORE_FIRST,
  finishRun,
  unfinishedAmong,
  type Database,
  type NewRun,
} from '@quire/shared/database';
import { classifyError } from '@quire/shared/errors';
import type { Logger } from '@quire/shared/logging';
import { timeBudgets } from '@quire/shared/time';

const LOOK_EVERY_MS = 250;
/** From the first answer of Postgres; what was on its way to it has arrived or is lost by then. */
const LOOK_FOR_MS = timeBudgets.run.withdrawMs;
const GIVE_UP_AFTER_MS = 120_000;
/** What one outage may leave to look for; beyond it the oldest are given up. */
const MOST = 10_000;

interface Withdrawn {
  outcome: RunOutcome;
  /** Its caller finds it again by its key, so it is left alone once somebody works on it. */
  hasKey: boolean;
  refusedAt: number;
  /** Of Postgres, for the first time since. */
  answeredAt?: number;
}

/**
 * Closes the rows of runs whose acceptance got no answer, should they turn up: their callers were told to try again,
 * and must not find that the first try was executed as well. One look is for all of them.
 */
export class Withdrawals {
  private readonly withdrawn = new Map<string, Withdrawn>();
  private isLooking = false;

  constructor(
    private readonly db: Database,
    private readonly log: Logger,
  ) {}

  add({ id, idempotency }: Pick<NewRun, 'id' | 'idempotency'>, outcome: RunOutcome): void {
    this.withdrawn.set(id, { outcome, hasKey: idempotency !== undefined, refusedAt: Date.now() });
    const [oldest] = this.withdrawn.keys();
    if (this.withdrawn.size > MOST && oldest !== undefined) this.withdrawn.delete(oldest);
    if (!this.isLooking) void this.lookUntilDone();
  }

  private async lookUntilDone(): Promise<void> {
    this.isLooking = true;
    while (this.withdrawn.size > 0) {
      // Postgres may still be away.
      await this.look().catch(() => {});
      this.forgetOld();
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    }
    this.isLooking = false;
  }

  private async look(): Promise<void> {
    const looked = [...this.withdrawn];
    const turnedUp = await unfinishedAmong(this.db, [...this.withdrawn.keys()]);
    for (const [runId, withdrawn] of looked) {
      withdrawn.answeredAt ??= Date.now();
      if (!turnedUp.has(runId)) continue;
      const { outcome, hasKey } = withdrawn;
      const isClosed = await finishRun(this.db, runId, outcome, hasKey ? ATTEMPT_BEFORE_FIRST : undefined);
      this.withdrawn.delete(runId);
      const about = { stage: 'gateway', run_id: runId };
      if (isClosed) this.log.info(about, 'A run that was refused has turned up and is closed');
      else this.log.warn(about, 'A run that was refused has turned up and is in the hands of another');
    }
  }

  private forgetOld(): void {
    const now = Date.now();
    for (const [runId, { refusedAt, answeredAt = Infinity }] of this.withdrawn) {
      if (now - refusedAt > GIVE_UP_AFTER_MS || now - answeredAt > LOOK_FOR_MS) this.withdrawn.delete(runId);
    }
  }
}

export function refusedOutcome(runId: string, refusal: unknown): RunOutcome {
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

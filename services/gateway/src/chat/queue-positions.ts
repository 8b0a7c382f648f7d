import { runEventSchema } from '@quire/shared/contracts';
import { ATTEMPT_BEFORE_FIRST } from '@quire/shared/database';
import type { JobQueue } from '@quire/shared/jobs';
import { Fenced, RunEnded, type RunLog, type RunLogEntry } from '@quire/shared/run-log';

const LOOK_EVERY_MS = 2000;
/** Runs that are looked at in one go; with more of them each is told less often. */
const MOST_AT_ONCE = 500;

/** What a follower of a run has been told. */
export interface Told {
  runId: string;
  seq: number;
  position: number | undefined;
}

/**
 * Tells those who follow a run that waits when its place in the line has changed. The news goes into the run's log, so
 * that all its followers hear it; where several gateways tell it, it is told once.
 */
export class QueuePositions {
  private readonly followers = new Set<Told>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(
    private readonly queue: Pick<JobQueue<'chat'>, 'positionsOf'>,
    private readonly runLog: Pick<RunLog, 'append' | 'lastEntry'>,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Looks after a follower's place in the line, until it has left the line or is removed. */
  add(runId: string, after: number): Told {
    const told: Told = { runId, seq: after, position: undefined };
    this.followers.add(told);
    return told;
  }

  /** Takes note of what a follower is told. */
  see(told: Told, entry: RunLogEntry): void {
    if (entry.type === 'queued') note(told, entry);
    else this.followers.delete(told);
  }

  remove(told: Told): void {
    this.followers.delete(told);
  }

  private async look(): Promise<void> {
    if (this.looking || this.followers.size === 0) return;
    this.looking = true;
    const due = this.nextInTurn();
    try {
      const positions = await this.queue.positionsOf(due.map(({ runId }) => runId));
      await Promise.all(due.map((told, i) => this.tell(told, positions[i])));
    } catch {
      // Redis is away; places are told again when it is back.
    } finally {
      this.looking = false;
    }
  }

  private nextInTurn(): Told[] {
    const due = [...this.followers].slice(0, MOST_AT_ONCE);
    for (const told of due) {
      this.followers.delete(told);
      this.followers.add(told);
    }
    return due;
  }

  private async tell(told: Told, position: number | undefined): Promise<void> {
    if (position === undefined) return;
    // Who has come back knows the place that was told before.
    if (told.position === undefined) note(told, await this.runLog.lastEntry(told.runId));
    if (position === told.position) return;
    const data = { request_id: told.runId, position };
    try {
      await this.runLog.append(told.runId, ATTEMPT_BEFORE_FIRST, [{ type: 'queued', data }], told.seq);
    } catch (error) {
      if (!(error instanceof Fenced || error instanceof RunEnded)) throw error;
      this.followers.delete(told);
    }
  }
}

function note(told: Told, entry: RunLogEntry | undefined): void {
  if (entry?.type !== 'queued') return;
  const event = runEventSchema.parse({ type: entry.type, data: JSON.parse(entry.data) });
  if (event.type === 'queued') Object.assign(told, { seq: entry.seq, position: event.data.position });
}

import { runEventSchema } from '@quire/shared/contracts';
import { ATTEMPT_BEFORE_FIRST } from '@quire/shared/database';
import type { JobQueue } from '@quire/shared/jobs';
import { Fenced, RunEnded, type RunLog, type RunLogEntry } from '@quire/shared/run-log';
import { PeriodicTask } from '@quire/shared/time';

const ANNOUNCE_EVERY_MS = 2000;
/** Bounds one pass; with more followers, each is served less often. */
const MAX_RUNS_PER_PASS = 500;

/** A client that follows a waiting run, and the last position it was sent. */
export interface WaitingClient {
  runId: string;
  seq: number;
  position: number | undefined;
}

/**
 * Appends `queued` to the log of a waiting run when its position in the queue has changed, while a client of this
 * gateway follows the run. All its followers read it there; of several gateways one appends it.
 */
export class PositionAnnouncer {
  private readonly waiting = new Set<WaitingClient>();
  // While Redis is away, the next pass tries again.
  readonly announcements = new PeriodicTask(ANNOUNCE_EVERY_MS, () => this.announceAll());

  constructor(
    private readonly queue: Pick<JobQueue<'chat'>, 'positionsOf'>,
    private readonly runLog: Pick<RunLog, 'append' | 'lastEntry'>,
  ) {}

  /** Announces the run's positions until an entry shows that it no longer waits, or the client is removed. */
  add(runId: string, after: number): WaitingClient {
    const client: WaitingClient = { runId, seq: after, position: undefined };
    this.waiting.add(client);
    return client;
  }

  /** To be called with each entry that is sent to the client. */
  observe(client: WaitingClient, entry: RunLogEntry): void {
    if (entry.type === 'queued') note(client, entry);
    else this.waiting.delete(client);
  }

  remove(client: WaitingClient): void {
    this.waiting.delete(client);
  }

  private async announceAll(): Promise<void> {
    if (this.waiting.size === 0) return;
    const clients = this.nextClients();
    const positions = await this.queue.positionsOf(clients.map(({ runId }) => runId));
    await Promise.all(clients.map((client, i) => this.announce(client, positions[i])));
  }

  /** Moves the clients of this pass to the end of the set, so that the next pass serves others. */
  private nextClients(): WaitingClient[] {
    const clients = [...this.waiting].slice(0, MAX_RUNS_PER_PASS);
    for (const client of clients) {
      this.waiting.delete(client);
      this.waiting.add(client);
    }
    return clients;
  }

  private async announce(client: WaitingClient, position: number | undefined): Promise<void> {
    if (position === undefined) return;
    // A client that has resumed knows the position that was announced before.
    if (client.position === undefined) note(client, await this.runLog.lastEntry(client.runId));
    if (position === client.position) return;
    const data = { request_id: client.runId, position };
    try {
      await this.runLog.append(client.runId, ATTEMPT_BEFORE_FIRST, [{ type: 'queued', data }], client.seq);
    } catch (error) {
      if (!(error instanceof Fenced || error instanceof RunEnded)) throw error;
      this.waiting.delete(client);
    }
  }
}

function note(client: WaitingClient, entry: RunLogEntry | undefined): void {
  if (entry?.type !== 'queued') return;
  const event = runEventSchema.parse({ type: entry.type, data: JSON.parse(entry.data) });
  if (event.type === 'queued') Object.assign(client, { seq: entry.seq, position: event.data.position });
}

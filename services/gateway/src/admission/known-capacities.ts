import type { AgentCapacity } from '@quire/shared/process';

const REMEMBERED_MS = 1000;

/** What the agent workers say of themselves, asked for once a second at most, however many requests need it. */
export class KnownCapacities {
  private remembered: { workers: Promise<AgentCapacity[]>; until: number } | undefined;

  constructor(private readonly read: () => Promise<AgentCapacity[]>) {}

  get(): Promise<AgentCapacity[]> {
    if (!this.remembered || Date.now() > this.remembered.until) {
      const workers = this.read();
      this.remembered = { workers, until: Date.now() + REMEMBERED_MS };
      workers.catch(() => (this.remembered = undefined));
    }
    return this.remembered.workers;
  }
}

import { within } from '@quire/shared/time';

/** After it, work starts beside the one it waited for, which may hang with a store. */
const WAIT_LIMIT_MS = 3000;

/** Runs work with the same key one after the other, in the order of the calls. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key)?.catch(() => {});
    const mine = before ? within(WAIT_LIMIT_MS, before).then(work) : work();
    this.last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}

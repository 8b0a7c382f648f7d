import type { Redis } from 'ioredis';
import { LuaScript } from '../redis/lua-script.js';
import { redisKeys } from '../redis/redis-keys.js';

/** A job's place in the line. */
export interface Turn {
  /** BullMQ's: lower ones go first, equal ones as they come. */
  priority: number;
  /** Jobs that wait in front of it. */
  ahead: number;
}

/** BullMQ takes no more; beyond it everybody stands in one line. */
export const LAST_TURN = 2 ** 21 - 1;
/** Far from the last one the count begins anew at the first moment when nobody waits. */
const RENUMBER_FROM = 2 ** 20;
/** Of both keys, renewed together: last turns without the present one would put their tenants behind everybody. */
const KEPT_SECONDS = 24 * 3600;

const takeScript = new LuaScript<[turn: number, ahead: number]>(
  'quireTakeTurn',
  new URL('take-turn.lua', import.meta.url),
);
const advanceScript = new LuaScript<null>('quireAdvanceTurn', new URL('advance-turn.lua', import.meta.url));

/**
 * Lets tenants take turns on the chat queue (start-time fair queueing): a tenant's next job comes one turn behind its
 * last one, but never before the turn that is under way. So a tenant with nothing in the line is served next, however
 * many jobs another one has in it, and nobody waits for ever. All state is a number for each tenant that waits.
 */
export class Turns {
  private readonly keys: string[];

  constructor(private readonly redis: Redis) {
    const ofQueue = (part: string) => `${redisKeys.queuePrefix('chat')}:chat:${part}`;
    this.keys = [redisKeys.lastTurns, redisKeys.presentTurn, ofQueue('wait'), ofQueue('prioritized')];
  }

  /** The turn of a job that is about to be enqueued. */
  take(tenant: string): Promise<Turn> {
    return this.ask(tenant, '1');
  }

  /** The turn that a tenant would get now. */
  look(tenant: string): Promise<Turn> {
    return this.ask(tenant, '0');
  }

  /** A job of this turn is being worked on. */
  async begun(priority: number): Promise<void> {
    await advanceScript.run(this.redis, [redisKeys.presentTurn], [priority, KEPT_SECONDS]);
  }

  private async ask(tenant: string, take: string): Promise<Turn> {
    const args = [tenant, take, LAST_TURN, RENUMBER_FROM, KEPT_SECONDS];
    const [priority, ahead] = await takeScript.run(this.redis, this.keys, args);
    return { priority, ahead };
  }
}

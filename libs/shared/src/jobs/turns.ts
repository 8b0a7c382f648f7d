import type { Redis } from 'ioredis';
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

/**
 * KEYS: last turns, present turn, BullMQ's `wait` and `prioritized`; ARGV: tenant, 1 to take the turn. BullMQ's score of
 * a job is its priority * 2^32 and a counter; what is in `wait` goes before everything.
 */
const turnLua = `
local waiting, ranked = redis.call('LLEN', KEYS[3]), redis.call('ZCARD', KEYS[4])
local present = tonumber(redis.call('GET', KEYS[2]) or 1)
if present >= ${RENUMBER_FROM} and waiting + ranked == 0 and ARGV[2] == '1' then
  redis.call('DEL', KEYS[1], KEYS[2])
  present = 1
end
local last = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
local turn = math.min(math.max(present, last + 1), ${LAST_TURN})
if ARGV[2] == '1' then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. present)
  redis.call('ZADD', KEYS[1], turn, ARGV[1])
  redis.call('EXPIRE', KEYS[1], ${KEPT_SECONDS})
  redis.call('SET', KEYS[2], present, 'EX', ${KEPT_SECONDS})
end
local before = redis.call('ZCOUNT', KEYS[4], '-inf', '(' .. string.format('%.0f', (turn + 1) * 4294967296))
return {turn, waiting + before}
`;

/** KEYS[1] present turn; ARGV[1] the turn of a job that begins. */
const begunLua = `
if tonumber(ARGV[1]) > tonumber(redis.call('GET', KEYS[1]) or 0) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ${KEPT_SECONDS})
end
`;

interface WithTurns {
  quireTurn(...keysAndArgs: string[]): Promise<[number, number]>;
  quireTurnBegun(key: string, turn: number): Promise<null>;
}

/**
 * Lets tenants take turns on the chat queue (start-time fair queueing): a tenant's next job comes one turn behind its
 * last one, but never before the turn that is under way. So a tenant with nothing in the line is served next, however
 * many jobs another one has in it, and nobody waits for ever. All state is a number for each tenant that waits.
 */
export class Turns {
  private readonly keys: string[];

  constructor(private readonly redis: Redis) {
    redis.defineCommand('quireTurn', { numberOfKeys: 4, lua: turnLua });
    redis.defineCommand('quireTurnBegun', { numberOfKeys: 1, lua: begunLua });
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
    await this.commands.quireTurnBegun(redisKeys.presentTurn, priority);
  }

  private async ask(tenant: string, take: string): Promise<Turn> {
    const [priority, ahead] = await this.commands.quireTurn(...this.keys, tenant, take);
    return { priority, ahead };
  }

  private get commands(): Redis & WithTurns {
    return this.redis as Redis & WithTurns;
  }
}

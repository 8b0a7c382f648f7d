import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deletedOutcome } from '@quire/shared/database';
import { createLogger } from '@quire/shared/logging';
import { redisKeys } from '@quire/shared/redis';
import { RunLog } from '@quire/shared/run-log';
import { eventually, startPrivateRedis, type PrivateStore } from '@quire/testkit';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { redisCompaction } from '../src/compaction/compact-redis.js';

const DELETED = `deleted-${randomUUID()}`;
const KEPT = `kept-${randomUUID()}`;

describe('the append-only file of Redis', () => {
  let store: PrivateStore;
  let redis: Redis;
  let runLog: RunLog;

  beforeEach(async () => {
    store = await startPrivateRedis();
    redis = new Redis(store.url).on('error', () => {});
    runLog = new RunLog(redis);
    // So that a text is found in a rewritten file as well.
    await redis.config('SET', 'rdbcompression', 'no');
  });
  afterEach(async () => {
    redis.disconnect();
    await store.cleanup();
  });

  it('holds a deleted answer until it is rewritten, and not afterwards; what was kept stays', async () => {
    const deleted = await told(DELETED);
    await told(KEPT);
    await eventually(() => expect(onDisk()).toContain(DELETED));
    await remove(deleted);
    expect(onDisk()).toContain(DELETED);

    compacting();
    await eventually(() => expect(onDisk()).not.toContain(DELETED));
    expect(onDisk()).toContain(KEPT);
    await eventually(async () => expect(await redis.get(redisKeys.deletionsToCompact)).toBe('0'));
    await store.kill();
    await store.restart();
    await eventually(async () => expect(await redis.dbsize()).toBeGreaterThan(0));
    expect(await redis.xlen(redisKeys.runLog(deleted))).toBe(1);
  });

  it('is not rewritten without a deletion, nor twice within the time that rewrites are apart', async () => {
    const lines = compacting();
    await remove(await told(DELETED));
    await eventually(() => expect(rewrites(lines)).toBe(1));
    await remove(await told(DELETED));
    await eventually(async () => expect(await redis.get(redisKeys.deletionsToCompact)).toBe('1'));
    await passes();
    expect(rewrites(lines)).toBe(1);
    await redis.del(redisKeys.compacting);
    await eventually(() => expect(rewrites(lines)).toBe(2));
  });

  it('is left alone, with a debug line, by a Redis that refuses the command', async () => {
    await redis.call('ACL', 'SETUSER', 'default', '-bgrewriteaof');
    const lines = compacting();
    await remove(await told(DELETED));
    await eventually(() =>
      expect(lines.join('')).toContain('Rewrite of the append-only file of Redis failed'),
    );
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['debug']);
    // The deletion is remembered, for a Redis that allows it later.
    expect(await redis.get(redisKeys.deletionsToCompact)).toBe('1');
  });

  it('is not begun by a deletion where Redis has none', async () => {
    await redis.config('SET', 'appendonly', 'no');
    const lines = compacting();
    await remove(await told(DELETED));
    await eventually(async () => expect(await redis.get(redisKeys.deletionsToCompact)).toBe('0'));
    expect(lines).toEqual([]);
  });

  async function told(answer: string): Promise<string> {
    const runId = randomUUID();
    await runLog.append(runId, 1, [{ type: 'delta', data: { request_id: runId, text: answer } }]);
    return runId;
  }

  const remove = (id: string) =>
    runLog.bury([{ id, attempt: 1, endedAt: new Date(), end: deletedOutcome(id) }]);

  /** The lines that are logged from now on. */
  function compacting(): string[] {
    const lines: string[] = [];
    const logger = createLogger('test', 'debug', { write: (line) => lines.push(line) });
    const task = redisCompaction({ redis, logger, checkEveryMs: 20 });
    task.start();
    onTestFinished(() => task.stop());
    return lines;
  }

  const rewrites = (lines: readonly string[]) =>
    lines.filter((line) => line.includes('Rewrite of the append-only file of Redis started')).length;

  /** Each pass that finds a deletion asks for the lease. */
  async function passes(): Promise<void> {
    const calls = async () =>
      Number(/cmdstat_set:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
    const before = await calls();
    await eventually(async () => expect(await calls()).toBeGreaterThan(before + 2));
  }

  function onDisk(): string {
    const folder = join(store.dataDir, 'redis');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .map((path) => textOf(path))
      .join('\n');
  }
});

/** A file may be replaced by its successor while it is looked at. */
function textOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'latin1') : '';
  } catch {
    return '';
  }
}

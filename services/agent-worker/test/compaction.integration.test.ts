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
    // Otherwise the text could not be found in a rewritten file.
    await redis.config('SET', 'rdbcompression', 'no');
  });
  afterEach(async () => {
    redis.disconnect();
    await store.cleanup();
  });

  it('a rewrite removes a deleted answer from the append-only file and keeps the others', async () => {
    const deleted = await storedAnswer(DELETED);
    await storedAnswer(KEPT);
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

  it('the append-only file is rewritten only after a deletion, and once per interval', async () => {
    const lines = compacting();
    await remove(await storedAnswer(DELETED));
    await eventually(() => expect(rewrites(lines)).toBe(1));
    await remove(await storedAnswer(DELETED));
    await eventually(async () => expect(await redis.get(redisKeys.deletionsToCompact)).toBe('1'));
    await passes();
    expect(rewrites(lines)).toBe(1);
    await redis.del(redisKeys.compacting);
    await eventually(() => expect(rewrites(lines)).toBe(2));
  });

  it('a Redis that refuses the rewrite causes a debug line, and the deletion stays counted', async () => {
    await redis.call('ACL', 'SETUSER', 'default', '-bgrewriteaof');
    const lines = compacting();
    await remove(await storedAnswer(DELETED));
    await eventually(() =>
      expect(lines.join('')).toContain('Rewrite of the append-only file of Redis failed'),
    );
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['debug']);
    expect(await redis.get(redisKeys.deletionsToCompact)).toBe('1');
  });

  it('a Redis without an append-only file is not asked for a rewrite', async () => {
    await redis.config('SET', 'appendonly', 'no');
    const lines = compacting();
    await remove(await storedAnswer(DELETED));
    await eventually(async () => expect(await redis.get(redisKeys.deletionsToCompact)).toBe('0'));
    expect(lines).toEqual([]);
  });

  async function storedAnswer(answer: string): Promise<string> {
    const runId = randomUUID();
    await runLog.append(runId, 1, [{ type: 'delta', data: { request_id: runId, text: answer } }]);
    return runId;
  }

  const remove = (id: string) =>
    runLog.bury([{ id, attempt: 1, endedAt: new Date(), end: deletedOutcome(id) }]);

  /** Starts the task; returns the lines it logs. */
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

  /** Waits for two passes: each that finds a deletion tries to take the lease. */
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

/** Redis may remove a file between its listing and its reading. */
function textOf(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'latin1') : '';
  } catch {
    return '';
  }
}

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eventually, testRedisUrl } from '@quire/testkit';
import { Queue, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../../test/open-for-test.js';
import { redisKeys } from '../../redis/redis-keys.js';
import { KEPT_EVENTS, renewEventLimit } from './event-limit.js';
import { positionsOf, statesOf } from './find-jobs.js';
import { jobFields, jobKey, lockKey, queueKey } from './queue-keys.js';
import { regainLock } from './regain-lock.js';
import { wakeWorker } from './wake-worker.js';

// Each test names one internal of BullMQ that the product relies on: an upgrade that changes it fails here.

const LOCK_MS = 300_000;
const HIGHEST_PRIORITY = 2_097_151;
const prefix = redisKeys.queuePrefix('chat');

let url: string;
let redis: Redis;
let queue: Queue;

beforeEach(async () => {
  url = await testRedisUrl();
  redis = redisForTest(url);
  queue = new Queue('chat', { connection: redis, prefix });
});

async function add(priority?: number): Promise<string> {
  const jobId = randomUUID();
  await queue.add('chat', {}, { jobId, ...(priority !== undefined && { priority }) });
  return jobId;
}

/** A worker that takes jobs only when the test tells it to. */
function idleWorker(lockDuration = LOCK_MS): Worker {
  const worker = new Worker('chat', null, { connection: redisForTest(url), prefix, lockDuration });
  worker.on('error', () => {});
  onTestFinished(() => worker.close(true));
  return worker;
}

async function take(worker: Worker, token: string): Promise<Job> {
  const job = await worker.getNextJob(token, { block: false });
  if (!job) throw new Error('No job is waiting');
  return job;
}

/** Two checks for stalled jobs: the first marks the active ones, the second moves those without a lock. */
async function checkForStalledJobs(worker: Worker): Promise<void> {
  for (let pass = 0; pass < 2; pass += 1) {
    await redis.del(queueKey('chat', 'stalled-check'));
    await check(worker);
  }
}

/** What a running worker does once in each `stalledInterval`. */
const check = (worker: Worker) =>
  (worker as unknown as { moveStalledJobsToWait(): Promise<void> }).moveStalledJobsToWait();

it('the keys of a queue and of its jobs are those that BullMQ computes', async () => {
  const jobId = await add();
  expect(queueKey('chat', 'wait')).toBe(queue.toKey('wait'));
  expect(jobKey('chat', jobId)).toBe(queue.toKey(jobId));
  expect(await redis.type(jobKey('chat', jobId))).toBe('hash');
});

it('a job without a priority waits in a list and is taken from its end, before every job with a priority', async () => {
  const prioritized = [await add(2), await add(1), await add(2), await add(1)] as const;
  const plain = [await add(), await add()] as const;
  const order = [...plain, prioritized[1], prioritized[3], prioritized[0], prioritized[2]];
  expect(await positionsOf(redis, 'chat', [...order, randomUUID()])).toEqual([1, 2, 3, 4, 5, 6, undefined]);
  const worker = idleWorker();
  for (const jobId of order) expect((await take(worker, 'token')).id).toBe(jobId);
});

it('the score of a prioritized job is its priority * 2^32 and a counter, up to the highest priority', async () => {
  const functions = readFileSync(new URL('jobs-ahead.lua', import.meta.url), 'utf8');
  const lua = `${functions}\nreturn {jobs_ahead(KEYS[1], KEYS[2], ARGV[1]), waiting_jobs(KEYS[1], KEYS[2])}`;
  const ahead = (priority: number) =>
    redis.eval(lua, 2, queueKey('chat', 'wait'), queueKey('chat', 'prioritized'), priority);
  for (const priority of [1, 7, 7, HIGHEST_PRIORITY]) await add(priority);
  await add();
  expect(await ahead(1)).toEqual([2, 5]);
  expect(await ahead(6)).toEqual([2, 5]);
  expect(await ahead(7)).toEqual([4, 5]);
  expect(await ahead(HIGHEST_PRIORITY)).toEqual([5, 5]);
  await expect(add(HIGHEST_PRIORITY + 1)).rejects.toThrow('Priority');
});

it('a job has a hash as long as it exists, and is in the set of the state in which it ended', async () => {
  const [completed, failed, active, waiting, removed] = [
    await add(),
    await add(),
    await add(),
    await add(),
    await add(),
  ];
  const worker = idleWorker();
  await (await take(worker, 'one')).moveToCompleted({}, 'one', false);
  await (await take(worker, 'two')).moveToFailed(new Error('failed'), 'two', false);
  await take(worker, 'three');
  await queue.remove(removed);
  expect(await statesOf(redis, 'chat', [completed, failed, active, waiting, removed])).toEqual([
    'completed',
    'failed',
    'pending',
    'pending',
    'missing',
  ]);
});

it('taking a job lists it as active, locks it with the token of its worker and counts it as taken', async () => {
  const jobId = await add();
  const job = await take(idleWorker(), 'token');
  expect(await redis.lrange(queueKey('chat', 'active'), 0, -1)).toEqual([jobId]);
  expect(await redis.get(lockKey('chat', jobId))).toBe('token');
  expect(await redis.pttl(lockKey('chat', jobId))).toBeGreaterThan(LOCK_MS / 2);
  expect(await redis.hget(jobKey('chat', jobId), jobFields.takes)).toBe('1');
  expect(job.attemptsStarted).toBe(1);
});

it('a job that has ended counts its try', async () => {
  const jobId = await add();
  await (await take(idleWorker(), 'token')).moveToCompleted({}, 'token', false);
  expect(await redis.hget(jobKey('chat', jobId), jobFields.tries)).toBe('1');
});

it('a check moves an active job without a lock to the end of the waiting list, counts it and wakes a worker', async () => {
  const jobId = await add();
  const worker = idleWorker();
  await take(worker, 'token');
  await checkForStalledJobs(worker);
  expect(await positionsOf(redis, 'chat', [jobId])).toEqual([undefined]);
  await redis.del(lockKey('chat', jobId));
  await redis.del(queueKey('chat', 'marker'));
  const other = await add();
  await checkForStalledJobs(worker);
  expect(await positionsOf(redis, 'chat', [jobId, other])).toEqual([1, 2]);
  expect(await redis.hget(jobKey('chat', jobId), jobFields.stalls)).toBe('1');
  expect(await redis.exists(queueKey('chat', 'marker'))).toBe(1);
  expect((await take(worker, 'again')).stalledCounter).toBe(1);
});

it('a running check keeps other checks away', async () => {
  const jobId = await add();
  const worker = idleWorker();
  await take(worker, 'token');
  await redis.del(lockKey('chat', jobId));
  await redis.sadd(queueKey('chat', 'stalled'), jobId);
  await redis.set(queueKey('chat', 'stalled-check'), 'under way');
  await check(worker);
  expect(await redis.lrange(queueKey('chat', 'active'), 0, -1)).toEqual([jobId]);
});

it('BullMQ reports an expired lock and does not renew it; once it is regained, no check moves the job', async () => {
  const jobId = await add();
  const worker = idleWorker();
  await take(worker, 'token');
  await redis.sadd(queueKey('chat', 'stalled'), jobId);
  await redis.del(lockKey('chat', jobId));
  expect(await worker.extendJobLocks([jobId], ['token'], LOCK_MS)).toEqual([jobId]);
  expect(await redis.exists(lockKey('chat', jobId))).toBe(0);
  expect(await regainLock(redis, 'chat', { id: jobId, token: 'token', takes: 1 }, LOCK_MS)).toBe(true);
  expect(await redis.sismember(queueKey('chat', 'stalled'), jobId)).toBe(0);
  expect(await worker.extendJobLocks([jobId], ['token'], LOCK_MS)).toEqual([]);
  await checkForStalledJobs(worker);
  expect(await redis.get(lockKey('chat', jobId))).toBe('token');
  expect(await redis.lrange(queueKey('chat', 'active'), 0, -1)).toEqual([jobId]);
});

it('a lock is not regained while another worker holds it, after another take, or when the job is not active', async () => {
  const jobId = await add();
  const worker = idleWorker();
  await take(worker, 'first');
  const lost = { id: jobId, token: 'first', takes: 1 };
  await redis.del(lockKey('chat', jobId));
  await checkForStalledJobs(worker);
  expect(await regainLock(redis, 'chat', lost, LOCK_MS)).toBe(false);
  await take(worker, 'second');
  expect(await regainLock(redis, 'chat', lost, LOCK_MS)).toBe(false);
  await redis.del(lockKey('chat', jobId));
  expect(await regainLock(redis, 'chat', lost, LOCK_MS)).toBe(false);
  expect(await regainLock(redis, 'chat', { ...lost, token: 'second', takes: 2 }, LOCK_MS)).toBe(true);
});

it('a job with a priority that is handed back is the first of its priority, and wakes no worker by itself', async () => {
  const jobId = await add(3);
  const job = await take(idleWorker(), 'token');
  const others = [await add(3), await add(2)] as const;
  await redis.del(queueKey('chat', 'marker'));
  await job.moveToWait('token');
  expect(await positionsOf(redis, 'chat', [others[1], jobId, others[0]])).toEqual([1, 2, 3]);
  expect(await redis.exists(queueKey('chat', 'marker'))).toBe(0);
});

it('an idle worker waits for the marker and takes a job when it is set', async () => {
  const jobId = await add(3);
  const blocked = idleWorker();
  const first = await take(blocked, 'first');
  await redis.del(queueKey('chat', 'marker'));
  const worker = new Worker('chat', async () => undefined, {
    connection: redisForTest(url),
    prefix,
    drainDelay: 600,
  });
  worker.on('error', () => {});
  onTestFinished(() => worker.close(true));
  await eventually(async () => expect(await redis.info('clients')).toMatch(/blocked_clients:[1-9]/));
  await first.moveToWait('first');
  await wakeWorker(redis, 'chat');
  await eventually(async () => expect(await statesOf(redis, 'chat', [jobId])).toEqual(['completed']));
});

it('a field that Quire adds to the hash of a job stays until the job is removed', async () => {
  const jobId = await add();
  const worker = idleWorker();
  await redis.hset(jobKey('chat', jobId), 'quire:test', '1');
  await (await take(worker, 'one')).moveToDelayed(Date.now(), 'one');
  await (await take(worker, 'two')).moveToWait('two');
  await (await take(worker, 'three')).moveToFailed(new Error('failed'), 'three', false);
  expect(await redis.hget(jobKey('chat', jobId), 'quire:test')).toBe('1');
  await queue.remove(jobId);
  expect(await redis.exists(jobKey('chat', jobId))).toBe(0);
});

it('BullMQ keeps as many events as a field of the queue says, and 10,000 once it is gone', async () => {
  const opened = new Queue('chat', {
    connection: redis,
    prefix,
    streams: { events: { maxLen: KEPT_EVENTS } },
  });
  await opened.waitUntilReady();
  const limit = () => redis.hget(queueKey('chat', 'meta'), 'opts.maxLenEvents');
  await eventually(async () => expect(await limit()).toBe(String(KEPT_EVENTS)));
  await redis.flushdb();
  await add();
  expect(await limit()).toBe('10000');
  await renewEventLimit(redis, 'chat');
  for (let job = 0; job < 300; job += 1) await add();
  expect(await redis.xlen(queue.toKey('events'))).toBeLessThan(300);
});

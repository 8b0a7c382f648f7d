import { randomUUID } from 'node:crypto';
import { startPrivateRedis } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { redisForTest } from '../../test/open-for-test.js';
import { retrievalPayload } from '../../test/retrieval-samples.js';
import { openQueue } from '../jobs/index.js';
import { createLogger } from './logger.js';

it('a job that Redis refused is logged without its payload', async () => {
  const redis = await startPrivateRedis();
  onTestFinished(() => redis.cleanup());
  const connection = redisForTest(redis.url);
  await connection.config('SET', 'maxmemory', '1');
  const error: unknown = await openQueue('retrieval', connection)
    .add(randomUUID(), retrievalPayload('Who am I?'))
    .catch((thrown: unknown) => thrown);
  // The error itself contains it, so that the test can fail.
  expect(error).toMatchObject({ command: { args: expect.anything() } });
  const lines: string[] = [];
  createLogger('test', 'info', { write: (line) => lines.push(line) }).warn({ error }, 'Job refused');
  expect(lines.join('')).toContain('OOM');
  expect(lines.join('')).not.toContain('Who am I?');
});

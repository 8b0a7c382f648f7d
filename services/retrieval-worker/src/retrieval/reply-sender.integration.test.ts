import { createLogger } from '@quire/shared/logging';
import { connectRedis } from '@quire/shared/redis';
import { expect, test } from 'vitest';
import { createReplySender } from './reply-sender.js';

test('a reply that cannot be sent does not fail the job: its result is stored anyway', async () => {
  const logger = createLogger('test', 'silent');
  const redis = connectRedis('redis://127.0.0.1:9', 'request', logger);
  const send = createReplySender(redis, logger);
  await expect(send('asker', { job_id: 'job', ok: false, reason: 'INTERNAL: x' })).resolves.toBeUndefined();
  redis.disconnect();
});

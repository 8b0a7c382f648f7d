import { createLogger } from '@quire/shared/logging';
import { connectRedis } from '@quire/shared/redis';
import { expect, it } from 'vitest';
import { createReplySender } from './reply-sender.js';

it('a reply that cannot be published does not reject, since the result is stored in the job', async () => {
  const logger = createLogger('test', 'silent');
  const redis = connectRedis('redis://127.0.0.1:9', 'request', logger);
  const send = createReplySender(redis, logger);
  await expect(send('asker', { job_id: 'job', ok: false, reason: 'INTERNAL: x' })).resolves.toBeUndefined();
  redis.disconnect();
});

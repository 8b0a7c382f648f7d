import { expect, it, onTestFinished } from 'vitest';
import { createKey } from './api-keys-for-test.js';
import { startGateway } from './gateway-under-test.js';

it('a tenant without waiting jobs gets a position ahead of most jobs of another tenant', async () => {
  const gateway = await startGateway({ auth: true });
  onTestFinished(() => gateway.close());
  const ask = async (tenant: string) => {
    const { header } = await createKey(gateway.db, { tenant });
    const headers = { prefer: 'respond-async', ...header };
    const accepted = await gateway.post('/chat', { message: 'Hi' }, headers);
    const { request_id: id = '' } = (await accepted.json()) as Record<string, string>;
    const [queued] = await gateway.runLog.read(id, 0, 1);
    return (JSON.parse(queued?.data ?? '{}') as { position?: number }).position;
  };
  for (const position of [1, 2, 3, 4, 5]) expect(await ask('acme')).toBe(position);
  // Equal priorities are first come, first served: one job of each tenant alternates.
  expect(await ask('umbrella')).toBe(2);
  expect(await ask('umbrella')).toBe(4);
  expect(await (await gateway.get('/health')).json()).toMatchObject({ queues: { chat: { waiting: 7 } } });
});

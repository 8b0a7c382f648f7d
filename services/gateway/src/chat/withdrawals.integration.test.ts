import { randomUUID } from 'node:crypto';
import { findRun, insertRuns, migrate, openDatabase, type NewRun } from '@quire/shared/database';
import { DependencyUnavailable } from '@quire/shared/errors';
import { createLogger } from '@quire/shared/logging';
import { createTestDatabase, eventually, startTcpProxy } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { Withdrawals } from './withdrawals.js';

const logger = createLogger('test', 'silent');
const refusal = new DependencyUnavailable('STORAGE_UNAVAILABLE', 'The database is not reachable');

function newRun(): NewRun {
  const request = { message: 'Hi', session_id: randomUUID(), top_k: 5 };
  return { id: randomUUID(), tenant: 'local', request, acceptedAt: new Date(), deadlineAt: new Date() };
}

it('rows of refused runs are closed when they turn up, those of others are left alone', async () => {
  const { url, drop } = await createTestDatabase();
  await migrate(url, logger);
  const proxy = await startTcpProxy(url);
  const [db, cutOff] = [openDatabase(url, logger, 2), openDatabase(proxy.url, logger, 2)];
  onTestFinished(async () => {
    await Promise.all([db.destroy(), cutOff.destroy()]);
    await proxy.close();
    await drop();
  });
  const withdrawals = new Withdrawals(cutOff, logger);
  const [early, late, accepted] = [newRun(), newRun(), newRun()];
  await insertRuns(db, [early, accepted]);
  await proxy.cut();
  for (const { id } of [early, late]) withdrawals.add(id, refusal);
  await insertRuns(db, [late]);
  await proxy.restore();
  await eventually(async () => {
    for (const { id } of [early, late]) {
      expect(await findRun(db, id)).toMatchObject({
        state: 'failed',
        outcome: { type: 'failed', data: { request_id: id, error_code: 'STORAGE_UNAVAILABLE' } },
      });
    }
  });
  const tooLate = newRun();
  withdrawals.add(tooLate.id, refusal);
  await insertRuns(db, [tooLate]);
  await eventually(async () => expect(await findRun(db, tooLate.id)).toMatchObject({ state: 'failed' }));
  expect(await findRun(db, accepted.id)).toMatchObject({ outcome: null });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/open-for-test.js';
import { newTurn } from '../../test/runs.js';
import type { Database } from './database.js';
import { findTopic, saveTopic } from './thread-summary.repository.js';
import { appendTurn } from './thread.repository.js';

let db: Database;
let closeDatabase: () => Promise<void>;
let owner: { threadId: string; tenant: string };
beforeAll(async () => {
  ({ db, close: closeDatabase } = await openTestDatabase());
});
afterAll(() => closeDatabase());
beforeEach(async () => {
  owner = { threadId: randomUUID(), tenant: 'local' };
  for (let n = 0; n < 5; n += 1) await appendTurn(db, newTurn(owner.threadId));
});

const topic = async () => {
  const found = await findTopic(db, owner);
  if (!found) throw new Error('no thread');
  return found;
};

it('a summary is stored with the length of the thread at that time', async () => {
  expect(await topic()).toMatchObject({ summary: null, messages: 10, summarizedMessages: 0 });
  expect(await saveTopic(db, owner, { ...(await topic()), summary: 'Nodes' })).toBe(true);
  expect(await topic()).toMatchObject({ summary: 'Nodes', messages: 10, summarizedMessages: 10 });
});

it('an older or equal summary does not replace the stored one', async () => {
  const before = await topic();
  await appendTurn(db, newTurn(owner.threadId));
  await saveTopic(db, owner, { ...(await topic()), summary: 'Newer' });
  expect(await saveTopic(db, owner, { ...before, summary: 'Older' })).toBe(false);
  expect(await saveTopic(db, owner, { ...(await topic()), summary: 'Again' })).toBe(false);
  expect(await topic()).toMatchObject({ summary: 'Newer' });
});

it('the summary of a deleted thread is not stored in a later thread with the same id', async () => {
  const before = await topic();
  await db.deleteFrom('threads').where('id', '=', owner.threadId).execute();
  expect(await saveTopic(db, owner, { ...before, summary: 'Gone' })).toBe(false);
  await appendTurn(db, newTurn(owner.threadId));
  expect(await saveTopic(db, owner, { ...before, summary: 'Gone' })).toBe(false);
  expect(await topic()).toMatchObject({ summary: null });
});

it('another tenant with the same session_id neither reads nor changes the summary', async () => {
  const intruder = { ...owner, tenant: 'intruder' };
  expect(await findTopic(db, intruder)).toBeUndefined();
  expect(await saveTopic(db, intruder, { ...(await topic()), summary: 'Mine' })).toBe(false);
  await appendTurn(db, newTurn(owner.threadId, { tenant: intruder.tenant }));
  const theirs = await findTopic(db, intruder);
  if (!theirs) throw new Error('no thread');
  expect(await saveTopic(db, intruder, { ...theirs, summary: 'Theirs' })).toBe(true);
  expect(await topic()).toMatchObject({ summary: null, messages: 10 });
});

import { appendTurn, claimRun, findRun, finishRun } from '@quire/shared/database';
import { RunEnded, RunLogWriter } from '@quire/shared/run-log';
import { collectEvents, eventually } from '@quire/testkit';
import { sql } from 'kysely';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { completed, deltas, startGateway, type GatewayUnderTest } from './gateway-under-test.js';
import { answered, aTurn } from './thread-turns.js';

const ANSWER = 'By secret topics [1].';

let gateway: GatewayUnderTest;
beforeEach(async () => {
  const started = await startGateway();
  gateway = started;
  onTestFinished(() => started.close());
});

const remove = async (threadId: string) => (await gateway.send('DELETE', `/threads/${threadId}`)).status;
const logOf = async (runId: string) => JSON.stringify(await gateway.runLog.read(runId, 0, 100));

/** A run with its turn and its log. */
async function finishedRun() {
  const turn = await answered(gateway.db, { answer: ANSWER });
  const { runId } = turn;
  await gateway.runLog.append(runId, 1, [...deltas(runId, ANSWER), completed(runId, ANSWER)]);
  return turn;
}

/** Adds a statement to the commit of a transaction that deletes a thread. */
async function atCommit(statement: string): Promise<void> {
  await sql`CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS ${sql.lit(
    `BEGIN ${statement}; RETURN NULL; END`,
  )}`.execute(gateway.db);
  await sql`CREATE CONSTRAINT TRIGGER at_commit AFTER DELETE ON threads DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION at_commit()`.execute(gateway.db);
}

it('a worker that announces its outcome after the deletion is fenced off, and followers of the run get a cancelled event', async () => {
  const turn = aTurn({ answer: ANSWER });
  const { threadId } = turn;
  const stream = await gateway.post('/chat/stream', { message: turn.question, session_id: threadId });
  const runId = stream.headers.get('x-request-id') ?? '';
  const run = await claimRun(gateway.db, runId);
  const writer = new RunLogWriter(gateway.runLog, runId, run?.attempt ?? 0);
  await writer.emit(...deltas(runId, ANSWER));
  await finishRun(gateway.db, runId, completed(runId, ANSWER), run?.attempt);
  await appendTurn(gateway.db, { ...turn, runId });
  expect(await remove(threadId)).toBe(204);

  await expect(writer.emit(completed(runId, ANSWER))).rejects.toThrow(RunEnded);
  expect(await logOf(runId)).not.toContain(ANSWER);
  expect((await collectEvents(stream)).at(-1)?.event).toBe('cancelled');
  for (const path of [`/chat/${runId}`, `/chat/${runId}/stream`])
    expect((await gateway.get(path)).status).toBe(404);
});

it('a client that resumes while the deletion commits does not restore the answer in the log', async () => {
  await atCommit('PERFORM pg_sleep(2)');
  const { threadId, runId } = await finishedRun();
  const removing = remove(threadId);
  await eventually(async () => expect(await logOf(runId)).not.toContain(ANSWER));
  await (await gateway.get(`/chat/${runId}/stream`)).text();
  expect(await findRun(gateway.db, runId)).toBeDefined();
  expect(await removing).toBe(204);
  expect(await logOf(runId)).not.toContain(ANSWER);
});

it("a deletion that is rolled back leaves the run's outcome, and a client that has it gets 204", async () => {
  await atCommit("RAISE EXCEPTION 'no space left'");
  const { threadId, runId } = await finishedRun();
  expect(await remove(threadId)).toBe(500);
  const events = await collectEvents(await gateway.get(`/chat/${runId}/stream`));
  expect(events).toMatchObject([{ event: 'completed', data: expect.stringContaining(ANSWER) }]);
  const again = await gateway.get(`/chat/${runId}/stream`, { 'last-event-id': events[0]?.id ?? '' });
  expect(again.status).toBe(204);
});

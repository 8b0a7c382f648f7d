import { randomUUID } from 'node:crypto';
import { appendTurn, deleteThread, findTopic } from '@quire/shared/database';
import { openQueue } from '@quire/shared/jobs';
import { answer, failWith, type ChatRequest } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { summaryJobId } from '../src/summary/request-summary.js';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { wordsOf } from './shown-answer.js';

const usage = { usage: { promptTokens: 300, completionTokens: 20 } };
type Summary = Parameters<AgentUnderTest['providers']['chat']['byDefault']>[0];
/** By thread, because the summary of an earlier test may be retried while the next test runs. */
const summaries = new Map<string, Summary>();
let agent: AgentUnderTest;
let session: string;
beforeAll(async () => {
  agent = await startAgent({ models: 'first', prices: { first: { input: 1, output: 10 } } });
  agent.providers.chat.byDefault((request) => {
    if (!isSummary(request)) return answer('So [1].');
    const thread = [...summaries.keys()].find((id) => textOf(request).includes(id)) ?? '';
    const summary = summaries.get(thread);
    return typeof summary === 'function' ? summary(request) : (summary ?? answer('So [1].'));
  });
});
beforeEach(() => {
  session = randomUUID();
});
afterEach(() => agent.forgetFailures());
afterAll(() => agent.close());

const textOf = (request: ChatRequest | undefined) => (request?.messages ?? []).map(wordsOf).join('\n');
const isSummary = (request: ChatRequest) => textOf(request).startsWith('Summarize');
const summaryCalls = () =>
  agent.providers.chat.requests
    .map(({ body }) => body)
    .filter((request) => isSummary(request) && textOf(request).includes(session));
const topic = (of = agent) => findTopic(of.db, { threadId: session, tenant: 'local' });
/** The id of the job for the thread's first summary. */
const jobId = async (of = agent) => {
  const thread = of.db.selectFrom('threads').select('created_at').where('id', '=', session);
  const { created_at: createdAt } = await thread.executeTakeFirstOrThrow();
  return summaryJobId({ id: session, messages: 10, createdAt });
};
const booked = (from = agent) =>
  from.db.selectFrom('model_usage').selectAll().where('purpose', '=', 'summary').execute();

const answersWith = (summary: Summary) => summaries.set(session, summary);

/** Waits until the summary job has ended as skipped. */
async function skipped(id: string): Promise<void> {
  const queue = openQueue('summary', agent.redis);
  onTestFinished(() => queue.close());
  const job = await eventually(async () => {
    const found = await queue.find(id);
    expect(found.state).toBe('completed');
    return found;
  });
  expect(job).toMatchObject({ result: { outcome: 'skipped' } });
}

/** Adds exchanges to the thread without runs. */
async function earlier(count: number, from = agent, tenant = 'local'): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    await appendTurn(from.db, {
      threadId: session,
      tenant,
      runId: randomUUID(),
      question: `question ${n}`,
      answer: `answer ${n} [1].`,
      confidence: 0.8,
      confidenceLevel: 'high',
      sources: [],
      retrievalCalls: [],
    });
  }
}
const ask = async (from = agent) =>
  from.ended(await from.ask({ message: `And now, ${session}?`, session_id: session }));

/** Asks, and waits until neither the run's job nor a summary job is left, so that no summary can follow. */
async function askAndWait(from = agent): Promise<void> {
  const { id } = await ask(from);
  const [chat, summary] = [openQueue('chat', from.redis), openQueue('summary', from.redis)];
  onTestFinished(async () => void (await Promise.all([chat.close(), summary.close()])));
  await eventually(async () => expect(await chat.find(id)).toMatchObject({ state: 'completed' }));
  await eventually(async () =>
    expect(await summary.counts()).toMatchObject({ waiting: 0, active: 0, delayed: 0 }),
  );
}

describe('topic summaries', () => {
  it('a thread is summarized after its fifth exchange, in a model call that is booked', async () => {
    answersWith(answer('“Nodes, topics and how they talk”', usage));
    await earlier(3);
    await askAndWait();
    expect(summaryCalls()).toHaveLength(0);
    await ask();
    const summarized = await eventually(async () => {
      const found = await topic();
      expect(found?.summary).toBe('Nodes, topics and how they talk');
      return found;
    });
    expect(summarized).toMatchObject({ messages: 10, summarizedMessages: 10 });
    const [call, ...more] = summaryCalls();
    expect(more).toEqual([]);
    expect(call).not.toHaveProperty('tools');
    expect(textOf(call)).toContain('Reader: question 1');
    expect(textOf(call)).toContain(`Reader: And now, ${session}?`);
    expect(textOf(call)).toMatch(/is quoted material/);
    const spent = await booked();
    expect(spent).toMatchObject([
      {
        model: 'first',
        tenant: 'local',
        calls: 1,
        prompt_tokens: 300,
        completion_tokens: 20,
        cost_usd: 0.0005,
      },
    ]);
    const runs = await agent.db.selectFrom('runs').select('id').execute();
    expect(runs.map(({ id }) => id)).not.toContain(spent[0]?.run_id);
  });

  it('a thread is summarized again after five more exchanges, with its previous summary in the prompt', async () => {
    answersWith(answer('First'));
    await earlier(4);
    await ask();
    await eventually(async () => expect((await topic())?.summary).toBe('First'));
    answersWith(answer('Second'));
    await earlier(3);
    await askAndWait();
    expect((await topic())?.summary).toBe('First');
    await ask();
    await eventually(async () => expect((await topic())?.summary).toBe('Second'));
    expect(await topic()).toMatchObject({ summarizedMessages: 20 });
    expect(textOf(summaryCalls().at(-1))).toMatch(/<summary [^>]*>\nFirst\n/);
  });

  it('a summary is cut to 200 characters', async () => {
    answersWith(answer('Nodes and topics. '.repeat(40)));
    await earlier(4);
    await ask();
    const summary = await eventually(async () => {
      const found = (await topic())?.summary;
      expect(found).toBeTruthy();
      return found ?? '';
    });
    expect(summary.length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['fails', failWith(503)],
    ['writes nothing', answer('')],
    ['is truncated', answer('Nodes and', { finishReason: 'length' })],
  ])('a thread has no summary, and the run its answer, if the model %s', async (_, behaviour) => {
    answersWith(behaviour);
    await earlier(4);
    const { outcome } = await ask();
    expect(outcome?.type).toBe('completed');
    await skipped(await jobId());
    expect(await topic()).toMatchObject({ summary: null, summarizedMessages: 0 });
  });

  it('a thread whose summary failed is summarized by a later turn', async () => {
    answersWith(failWith(503));
    await earlier(4);
    await ask();
    await skipped(await jobId());
    await agent.forgetFailures();
    answersWith(answer('At last'));
    await earlier(4);
    await ask();
    await eventually(async () => expect((await topic())?.summary).toBe('At last'));
  });

  it('a thread is summarized once although several turns find it due and the job runs twice', async () => {
    answersWith(answer('Once'));
    await earlier(9);
    await Promise.all([ask(), ask(), ask()]);
    await eventually(async () => expect((await topic())?.summary).toBe('Once'));
    const queue = openQueue('summary', agent.redis);
    onTestFinished(() => queue.close());
    const payload = { thread_id: session, tenant: 'local', usage_id: randomUUID() };
    await queue.add(`${session}-again`, payload);
    await skipped(`${session}-again`);
    expect(summaryCalls()).toHaveLength(1);
  });

  it('a thread with the id of a deleted one gets its own summary', async () => {
    for (const summary of ['Before', 'Anew']) {
      answersWith(answer(summary));
      await earlier(4);
      await ask();
      await eventually(async () => expect((await topic())?.summary).toBe(summary));
      const owner = { threadId: session, tenant: 'local' };
      if (summary === 'Before')
        await agent.db.transaction().execute((transaction) => deleteThread(transaction, owner));
    }
  });

  it("a thread is summarized from its own messages, not another tenant's of the same session_id and age", async () => {
    answersWith((request) => answer(textOf(request).includes('apples') ? 'Apples' : 'Pears'));
    const created_at = new Date();
    const askAbout = async (fruit: string, tenant: string) => {
      await earlier(4, agent, tenant);
      await agent.db.updateTable('threads').set({ created_at }).where('tenant', '=', tenant).execute();
      const request = { message: `And ${fruit}, ${session}?`, session_id: session };
      await agent.ended(await agent.ask(request, 60_000, { tenant }));
    };
    await Promise.all([askAbout('apples', 'acme'), askAbout('pears', 'umbrella')]);
    for (const [tenant, summary] of [
      ['acme', 'Apples'],
      ['umbrella', 'Pears'],
    ] as const) {
      await eventually(async () =>
        expect(await findTopic(agent.db, { threadId: session, tenant })).toMatchObject({
          summary,
          messages: 10,
        }),
      );
    }
  });

  it('a thread that is deleted during its summary stays deleted', async () => {
    const thread = session;
    answersWith(async () => {
      await agent.db.deleteFrom('threads').where('id', '=', thread).execute();
      return answer('Too late');
    });
    await earlier(4);
    const id = await jobId();
    await ask();
    await skipped(id);
    expect(summaryCalls()).toHaveLength(1);
    expect(await topic()).toBeUndefined();
  });
});

it('without a model no summary job is enqueued', async () => {
  const silent = await startAgent({ apiKey: undefined });
  onTestFinished(() => silent.close());
  await earlier(4, silent);
  await askAndWait(silent);
  const queue = openQueue('summary', silent.redis);
  onTestFinished(() => queue.close());
  expect(await queue.find(await jobId(silent))).toEqual({ state: 'missing' });
  expect(await topic(silent)).toMatchObject({ summary: null });
  expect(await booked(silent)).toEqual([]);
});

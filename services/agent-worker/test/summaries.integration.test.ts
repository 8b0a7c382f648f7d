import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendTurn, deleteThread, findTopic } from '@quire/shared/database';
import { openQueue } from '@quire/shared/jobs';
import { answer, failWith, type ChatRequest } from '@quire/scripted-providers';
import { eventually } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { summaryJobId } from '../src/summary/request-summary.js';
import { startAgent, type AgentUnderTest } from './agent-under-test.js';
import { wordsOf } from './shown-answer.js';

const MOMENT_MS = 500;
const usage = { usage: { promptTokens: 300, completionTokens: 20 } };
type Summary = Parameters<AgentUnderTest['providers']['chat']['byDefault']>[0];
/** By thread: the model chain may ask again for an earlier test's summary while the next test runs. */
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
/** Of the first summary, as the thread is now. */
const jobId = async (of = agent) => {
  const thread = of.db.selectFrom('threads').select('created_at').where('id', '=', session);
  const { created_at: createdAt } = await thread.executeTakeFirstOrThrow();
  return summaryJobId({ id: session, messages: 10, createdAt });
};
const booked = (from = agent) =>
  from.db.selectFrom('model_usage').selectAll().where('purpose', '=', 'summary').execute();

const answersWith = (summary: Summary) => summaries.set(session, summary);

/** Waits for the end of a summary job that leaves the thread as it is. */
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

/** Exchanges that came before, without the cost of having them answered. */
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

describe('a thread', () => {
  it('is summarized after five exchanges, not before, in one call of its own that is booked', async () => {
    answersWith(answer('“Nodes, topics and how they talk”', usage));
    await earlier(3);
    await ask();
    await sleep(MOMENT_MS);
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

  it('is summarized again after five more, from the summary before and what was said since', async () => {
    answersWith(answer('First'));
    await earlier(4);
    await ask();
    await eventually(async () => expect((await topic())?.summary).toBe('First'));
    answersWith(answer('Second'));
    await earlier(3);
    await ask();
    await sleep(MOMENT_MS);
    expect((await topic())?.summary).toBe('First');
    await ask();
    await eventually(async () => expect((await topic())?.summary).toBe('Second'));
    expect(await topic()).toMatchObject({ summarizedMessages: 20 });
    expect(textOf(summaryCalls().at(-1))).toMatch(/<summary [^>]*>\nFirst\n/);
  });

  it('that is too long a summary is cut at a word, and never longer than 200 characters', async () => {
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
    ['is away', failWith(503)],
    ['says nothing', answer('')],
    ['is cut short', answer('Nodes and', { finishReason: 'length' })],
  ])('goes without when the model %s, and the run has its answer', async (_, behaviour) => {
    answersWith(behaviour);
    await earlier(4);
    const { outcome } = await ask();
    expect(outcome?.type).toBe('completed');
    await skipped(await jobId());
    expect(await topic()).toMatchObject({ summary: null, summarizedMessages: 0 });
  });

  it('gets what was missed when the next summary falls due', async () => {
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

  it('is summarized once, however many turns find it due and however often the job is done', async () => {
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

  it('that begins anew under the id of a deleted one gets a summary of its own', async () => {
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

  it("is summarized from its own messages, whatever another tenant's of the same session_id and age holds", async () => {
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

  it('that was deleted meanwhile stays deleted', async () => {
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

it('without a model there is neither a summary nor a job for one', async () => {
  const silent = await startAgent({ apiKey: undefined });
  onTestFinished(() => silent.close());
  await earlier(4, silent);
  await ask(silent);
  await sleep(MOMENT_MS);
  const queue = openQueue('summary', silent.redis);
  onTestFinished(() => queue.close());
  expect(await queue.find(await jobId(silent))).toEqual({ state: 'missing' });
  expect(await topic(silent)).toMatchObject({ summary: null });
  expect(await booked(silent)).toEqual([]);
});

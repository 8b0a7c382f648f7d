import { answer, cutAfter, failWith, vectors } from '@quire/scripted-providers';
import { collectEvents } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

/** Words that stand for data which must never be logged. */
const canary = {
  question: 'zebrafishquestion',
  selection: 'zebrafishselection',
  metadata: 'zebrafishmetadata',
  answer: 'zebrafishanswer',
  passage: 'zebrafishpassage',
  threadMetadata: 'zebrafishthreadmetadata',
  topicSummary: 'zebrafishtopicsummary',
  comment: 'zebrafishcomment',
  wrongKey: 'zebrafishwrongkey',
  modelKey: 'zebrafishmodelkey',
  embeddingKey: 'zebrafishembeddingkey',
  keySecret: 'zebrafishkeysecret'.repeat(2),
};
const question = {
  message: `How do nodes use topics, ${canary.question}?`,
  metadata: { note: canary.metadata },
};

let quire: AnsweringQuire;
let callerKey: string;
beforeAll(async () => {
  quire = await startAnsweringQuire(
    {
      LOG_LEVEL: 'info',
      AUTH: 'on',
      API_KEY_SECRET: canary.keySecret,
      GEMINI_API_KEY: canary.modelKey,
      EMBEDDING_API_KEY: canary.embeddingKey,
    },
    { Topics: `Nodes use topics. ${canary.passage} is a passage of the book about topics.` },
  );
  const { output } = await quire.quire('keys', 'create', '--tenant', 'a', '--name', 'test', '--json');
  ({ key: callerKey } = JSON.parse(output) as { key: string });
});
afterAll(() => quire.close());
afterEach(() => quire.startAfresh());

const bearer = () => ({ authorization: `Bearer ${callerKey}` });
const apiKey = () => ({ 'x-api-key': callerKey });
const output = () => quire.processes.map((service) => service.output()).join('\n');

async function send(method: string, path: string, body?: object, headers: Record<string, string> = bearer()) {
  return fetch(`${quire.gateways[0]}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Reads a response, and expects log lines of the request without its text. */
async function expectDiscretion(response: Response, status: number): Promise<string> {
  const text = await response.text();
  expect(response.status).toBe(status);
  const requestId = response.headers.get('x-request-id') ?? '';
  await expect.poll(output).toMatch(new RegExp(`${requestId}.*Request ended`));
  // The part of an API key after its prefix is secret.
  const secrets = [...Object.values(canary), callerKey.slice('qk_'.length + 12)];
  expect(secrets.filter((word) => output().includes(word))).toEqual([]);
  return text;
}
const expectDiscreet = async (body: object, path = '/chat', status = 200) =>
  expectDiscretion(await send('POST', path, body), status);

it.each([
  ['Authorization', bearer],
  ['X-API-Key', apiKey],
])(
  'the logs of an answered question hold neither its text nor the API key sent in %s',
  async (_name, headers) => {
    quire.providers.chat.byDefault(answer(`Through topics [1], ${canary.answer}.`));
    const ask = async (path: string, body: object) =>
      expectDiscretion(await send('POST', path, body, headers()), 200);
    await ask('/chat', question);
    await ask('/chat/stream', question);
    await ask('/search', { query: question.message });
    await ask('/chat', { ...question, selected_text: `Nodes use topics. ${canary.selection}` });
  },
);

it('the logs of a refused question and an unknown key hold no secret', async () => {
  await expectDiscreet({ ...question, [canary.question]: 1 }, '/chat', 400);
  await expectDiscreet({ message: canary.question.repeat(100) }, '/chat', 400);
  await expectDiscreet({ ...question, session_id: canary.question }, '/chat', 400);
  for (const wrong of [{ authorization: `Bearer ${canary.wrongKey}` }, { 'x-api-key': canary.wrongKey }]) {
    await expectDiscretion(await send('POST', '/chat', question, wrong), 401);
  }
});

it.each([
  ['refuses the key', failWith(401, { message: canary.question })],
  ['repeats the question in an error', failWith(400, { message: `Cannot answer ${canary.question}` })],
  ['is down', failWith(500, { message: canary.question })],
  ['breaks off', cutAfter(2, `Through topics ${canary.answer} and more [1].`)],
])('the logs hold no text of a question whose model %s', async (_what, behaviour) => {
  quire.providers.chat.byDefault(behaviour);
  await expectDiscreet(question);
});

it('the logs hold no text of a question that cannot be embedded', async () => {
  quire.providers.embeddings.byDefault(failWith(400, { message: canary.question }));
  await expectDiscreet({ ...question, message: `${question.message} Again?` });
  quire.providers.embeddings.byDefault(vectors());
});

it('the logs hold no text of a follow-up or of a cancelled run', async () => {
  const first = await send('POST', '/chat', question);
  const { session_id } = (await first.json()) as { session_id: string };
  await expectDiscreet({ ...question, session_id });
  const stream = await send('POST', '/chat/stream', question);
  await send('DELETE', `/chat/${stream.headers.get('x-request-id')}`);
  await collectEvents(stream);
  await expectDiscreet(question);
});

it('the logs hold no metadata, summary or feedback comment of a thread', async () => {
  quire.providers.chat.byDefault(answer(`Through topics [1], ${canary.topicSummary}.`));
  const { session_id, request_id } = JSON.parse(await expectDiscreet(question)) as Record<string, string>;
  const thread = `/threads/${session_id}`;
  const metadata = { [canary.threadMetadata]: canary.threadMetadata };
  await expectDiscretion(await send('PATCH', thread, { metadata }), 200);
  await expectDiscretion(await send('PATCH', thread, { metadata, [canary.threadMetadata]: 1 }), 400);
  await expectDiscreet({ request_id, rating: 'down', comment: canary.comment }, '/feedback');
  await expectDiscreet({ request_id, rating: canary.comment, comment: 1 }, '/feedback', 400);
  for (let turn = 2; turn <= 5; turn += 1) await expectDiscreet({ ...question, session_id });
  const summaryOf = async () =>
    ((await (await send('GET', thread)).json()) as { topic_summary: string | null }).topic_summary;
  await expect.poll(summaryOf).toContain(canary.topicSummary);
  await expectDiscretion(await send('GET', thread), 200);
  await expectDiscretion(await send('DELETE', thread), 204);
});

import { answer, cutAfter, failWith, vectors } from '@quire/scripted-providers';
import { collectEvents } from '@quire/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

/** Words that stand for what nobody who reads logs may see. */
const canary = {
  question: 'zebrafishquestion',
  selection: 'zebrafishselection',
  metadata: 'zebrafishmetadata',
  answer: 'zebrafishanswer',
  passage: 'zebrafishpassage',
  callerKey: 'zebrafishcallerkey',
  modelKey: 'zebrafishmodelkey',
  embeddingKey: 'zebrafishembeddingkey',
};
const headers = { authorization: `Bearer ${canary.callerKey}`, 'x-api-key': canary.callerKey };
const question = {
  message: `How do nodes use topics, ${canary.question}?`,
  metadata: { note: canary.metadata },
};

let quire: AnsweringQuire;
beforeAll(async () => {
  quire = await startAnsweringQuire(
    { LOG_LEVEL: 'info', GEMINI_API_KEY: canary.modelKey, EMBEDDING_API_KEY: canary.embeddingKey },
    { Topics: `Nodes use topics. ${canary.passage} is a passage of the book about topics.` },
  );
}, 120_000);
afterAll(() => quire.close());
afterEach(() => quire.startAfresh());

const output = () => quire.processes.map((service) => service.output()).join('\n');

/** Asks, and expects the request's lines to be there, but not what it was about. */
async function expectDiscretion(body: object, path = '/chat'): Promise<void> {
  const response = await quire.ask(body, path, headers);
  const requestId = response.headers.get('x-request-id') ?? '';
  await response.text();
  await expect.poll(output).toMatch(new RegExp(`${requestId}.*Request ended`));
  const words = Object.values(canary).filter((word) => output().includes(word));
  expect(words).toEqual([]);
}

it('an answered question leaves no word of itself in the logs, nor a key', async () => {
  quire.providers.chat.byDefault(answer(`Through topics [1], ${canary.answer}.`));
  await expectDiscretion(question);
  await expectDiscretion(question, '/chat/stream');
  await expectDiscretion({ query: question.message }, '/search');
  await expectDiscretion({ ...question, selected_text: `Nodes use topics. ${canary.selection}` });
});

it('nor does a refused one', async () => {
  await expectDiscretion({ ...question, [canary.question]: 1 });
  await expectDiscretion({ message: canary.question.repeat(100) });
  await expectDiscretion({ ...question, session_id: canary.question });
});

it.each([
  ['refuses the key', failWith(401, { message: canary.question })],
  ['repeats the question in an error', failWith(400, { message: `Cannot answer ${canary.question}` })],
  ['is down', failWith(500, { message: canary.question })],
  ['breaks off', cutAfter(2, `Through topics ${canary.answer} and more [1].`)],
])('nor does one whose model %s', async (_what, behaviour) => {
  quire.providers.chat.byDefault(behaviour);
  await expectDiscretion(question);
});

it('nor does one that cannot be embedded', async () => {
  quire.providers.embeddings.byDefault(failWith(400, { message: canary.question }));
  await expectDiscretion({ ...question, message: `${question.message} Again?` });
  quire.providers.embeddings.byDefault(vectors());
});

it('nor does a follow-up, or a run that was cancelled', async () => {
  const first = await quire.ask(question, '/chat', headers);
  const { session_id } = (await first.json()) as { session_id: string };
  await expectDiscretion({ ...question, session_id });
  const stream = await quire.ask(question, '/chat/stream', headers);
  await fetch(`${quire.gateways[0]}/chat/${stream.headers.get('x-request-id')}`, {
    method: 'DELETE',
    headers,
  });
  await collectEvents(stream);
  await expectDiscretion(question);
});

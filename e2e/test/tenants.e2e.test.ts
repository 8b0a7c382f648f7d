import { randomUUID } from 'node:crypto';
import { threadListSchema, threadSchema } from '@quire/shared/contracts';
import { answer } from '@quire/scripted-providers';
import { collectEvents } from '@quire/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

let quire: AnsweringQuire;
beforeAll(async () => {
  quire = await startAnsweringQuire(
    { AUTH: 'on', API_KEY_SECRET: 'a secret of the tests, long enough' },
    { Topics: 'Nodes publish messages on topics. Other nodes subscribe to these topics.' },
  );
});
afterAll(() => quire.close());

async function keyOf(tenant: string): Promise<{ authorization: string }> {
  const { output } = await quire.quire('keys', 'create', '--tenant', tenant, '--name', 'test', '--json');
  return { authorization: `Bearer ${(JSON.parse(output) as { key: string }).key}` };
}

it('two tenants that concurrently use one new session_id have two separate threads', async () => {
  const [acme, umbrella] = [await keyOf('acme'), await keyOf('umbrella')];
  quire.providers.chat.byDefault(answer('Nodes publish on topics [1].'));
  const session_id = randomUUID();
  const ask = async (key: typeof acme, message: string) => {
    const events = await collectEvents(await quire.ask({ message, session_id }, '/chat/stream', key));
    expect(events.at(-1)?.event).toBe('completed');
  };
  const send = (key: typeof acme, path: string, method = 'GET') =>
    fetch(`${quire.gateways[0]}${path}`, { method, headers: key });
  const questionsOf = async (key: typeof acme) => {
    const { threads } = threadListSchema.parse(await (await send(key, '/threads')).json());
    expect(threads.map((thread) => thread.session_id)).toEqual([session_id]);
    const thread = threadSchema.parse(await (await send(key, `/history/${session_id}`)).json());
    return thread.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  };

  const ofAcme = [1, 2, 3].map((n) => `How do nodes of acme publish, ${n}?`);
  const ofUmbrella = [1, 2, 3].map((n) => `How do nodes of umbrella publish, ${n}?`);
  await Promise.all([
    ...ofAcme.map((message) => ask(acme, message)),
    ...ofUmbrella.map((message) => ask(umbrella, message)),
  ]);
  expect((await questionsOf(acme)).toSorted()).toEqual(ofAcme);
  expect((await questionsOf(umbrella)).toSorted()).toEqual(ofUmbrella);

  const before = quire.sent().length;
  await ask(umbrella, 'And how do others subscribe?');
  const prompts = JSON.stringify(quire.sent().slice(before));
  expect(prompts).toContain('nodes of umbrella');
  expect(prompts).not.toContain('nodes of acme');

  expect((await send(acme, `/threads/${session_id}`, 'DELETE')).status).toBe(204);
  expect((await send(acme, `/threads/${session_id}`)).status).toBe(404);
  expect(await questionsOf(umbrella)).toHaveLength(4);
  await ask(acme, 'How do nodes of acme begin anew?');
  expect(await questionsOf(acme)).toEqual(['How do nodes of acme begin anew?']);
});

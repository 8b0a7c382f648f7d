import {
  answer,
  failWith,
  messageTexts,
  refuse,
  type ChatBehaviour,
  type ScriptedProviders,
} from '@quire/scripted-providers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startAnsweringQuire, type AnsweringQuire } from './answering-quire.js';

const POISON = 'poison';
const WHOLE = 'Nodes publish on topics [1].';

let providers: ScriptedProviders;
let quire: AnsweringQuire;
let keys: Record<'poisoner' | 'bystander', string>;
beforeAll(async () => {
  quire = await startAnsweringQuire(
    { GEMINI_MODELS: 'only', AUTH: 'on', API_KEY_SECRET: 'a secret that is long enough for this' },
    { Topics: 'Nodes publish messages on topics.' },
  );
  ({ providers } = quire);
  keys = { poisoner: await keyOf('poisoner'), bystander: await keyOf('bystander') };
});
afterEach(() => quire.startAfresh());
afterAll(() => quire.close());

async function keyOf(tenant: string): Promise<string> {
  const { output } = await quire.quire('keys', 'create', '--tenant', tenant, '--name', tenant, '--json');
  return (JSON.parse(output) as { key: string }).key;
}

async function metadataOf(tenant: keyof typeof keys, message: string) {
  const headers = { authorization: `Bearer ${keys[tenant]}` };
  const response = await quire.ask({ message }, '/chat', headers);
  expect(response.status).toBe(200);
  return ((await response.json()) as { metadata: { mode: string; degraded_reason?: string } }).metadata;
}
const poison = () => metadataOf('poisoner', `How do nodes publish messages on topics, ${POISON}?`);
const ask = () => metadataOf('bystander', 'How do nodes publish messages on topics?');

it.each<[title: string, behaviour: ChatBehaviour, reason: string]>([
  ['are too long', failWith(400, { code: 'context_length_exceeded' }), 'request_rejected'],
  ['trip a filter', failWith(422), 'request_rejected'],
  ['are forbidden', failWith(403), 'model_misconfigured'],
  ['break the provider', failWith(500), 'model_unavailable'],
  ['end the connection', refuse(), 'model_unavailable'],
])("another tenant's answers stay full while one tenant's requests %s", async (_title, behaviour, reason) => {
  providers.chat.byDefault((request) =>
    messageTexts(request).some((text) => text.includes(POISON)) ? behaviour : answer(WHOLE),
  );
  for (let run = 0; run < 4; run += 1) {
    expect(await poison()).toMatchObject({ mode: 'retrieval_only', degraded_reason: reason });
  }
  const both = Array.from({ length: 4 }, () => [poison(), ask()]);
  for (const [poisoned, asked] of both) {
    expect(await poisoned).toMatchObject({ mode: 'retrieval_only' });
    expect(await asked).toMatchObject({ mode: 'full' });
  }
});

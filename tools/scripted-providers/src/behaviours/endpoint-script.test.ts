import { expect, it } from 'vitest';
import { chatBehaviourSchema } from '../chat/chat-behaviour.js';
import { answer } from '../chat/chat-builders.js';
import type { ChatScript } from '../chat/chat-endpoint.js';
import type { ChatRequest } from '../chat/chat-request.js';
import { EndpointScript } from './endpoint-script.js';
import { failWith } from './fault.js';

const request: ChatRequest = { model: 'any', messages: [{ role: 'user', content: 'Why?' }] };
const newScript = (keepRequests = 10): ChatScript =>
  new EndpointScript(chatBehaviourSchema, { kind: 'answer' }, keepRequests);

it('the enqueued behaviours serve requests in order, and the default one those after them', async () => {
  const script = newScript();
  script.byDefault(answer('default'));
  script.enqueue(answer('first'), ({ model }) => answer(`second for ${model}`), failWith(500));
  const texts: unknown[] = [];
  for (let call = 0; call < 5; call += 1) {
    const behaviour = await script.next(request);
    texts.push(behaviour.kind === 'answer' ? behaviour.text : behaviour.kind);
  }
  expect(texts).toEqual(['first', 'second for any', 'error', 'default', 'default']);
});

it('a response waits for a promised behaviour', async () => {
  const script = newScript();
  const order: string[] = [];
  let release = (): void => undefined;
  script.enqueue(async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return answer('held back');
  });
  const held = script.next(request).then(() => order.push('held back'));
  await script.next(request).then(() => order.push('default'));
  release();
  await held;
  expect(order).toEqual(['default', 'held back']);
});

it.each([
  ['an unknown field', 'Unrecognized key', { kind: 'answer', txt: 'typo' }],
  ['text and tokens at once', 'give one of text', { kind: 'answer', text: 'a', tokens: ['a'] }],
  [
    'usage given and omitted',
    'give usage or omitUsage',
    { kind: 'answer', usage: { promptTokens: 1, completionTokens: 1 }, omitUsage: true },
  ],
  ['a status that is no error', '>=400', { kind: 'error', status: 200 }],
  ['a negative position', '>=0', { kind: 'answer', cutAfterTokens: -1 }],
])('%s is refused where it is enqueued', (_, reason, wrong) => {
  expect(() => newScript().enqueue(wrong as never)).toThrow(reason);
});

it('a function that returns a wrong behaviour fails its request', async () => {
  const script = newScript();
  script.enqueue(() => ({ kind: 'nonsense' }) as never);
  await expect(script.next(request)).rejects.toThrow('Invalid discriminator value');
});

it('only the latest requests are recorded', () => {
  const script = newScript(2);
  for (const path of ['/1', '/2', '/3']) {
    script.record({ path, headers: {}, body: request, receivedAt: 0, aborted: false });
  }
  expect(script.requests.map(({ path }) => path)).toEqual(['/2', '/3']);
});

it('reset clears the queue and the records and keeps the default', async () => {
  const script = newScript();
  script.byDefault(answer('default'));
  script.enqueue(answer('forgotten'));
  script.record({ path: '/', headers: {}, body: request, receivedAt: 0, aborted: false });
  script.reset();
  expect([script.queued, script.requests.length]).toEqual([0, 0]);
  expect(await script.next(request)).toMatchObject({ text: 'default' });
});

import { expect, it } from 'vitest';
import { parseChatCommand, type Negotiation } from './chat-command.js';

const none: Negotiation = { accept: undefined, prefer: undefined };

const cases: [body: object, negotiation: Partial<Negotiation>, form: string][] = [
  [{}, {}, 'json'],
  [{}, { accept: '*/*' }, 'json'],
  [{ stream: true }, {}, 'sse'],
  [{}, { accept: 'application/json, Text/Event-Stream' }, 'sse'],
  [{ stream: false }, { accept: 'text/event-stream' }, 'json'],
  [{}, { prefer: 'wait=5, respond-async' }, 'async'],
  [{}, { prefer: 'not-respond-async' }, 'json'],
  [{}, { fixedForm: 'sse', prefer: 'respond-async' }, 'sse'],
  [{}, { fixedForm: 'json', accept: 'text/event-stream' }, 'json'],
  [{}, { fixedForm: 'json', prefer: 'respond-async' }, 'async'],
];
it.each(cases)('the response form of %j with %j is %s', (body, negotiation, form) => {
  expect(parseChatCommand({ message: 'Hi', ...body }, { ...none, ...negotiation }).form).toBe(form);
});

it('parseChatCommand() trims the question, resolves the alias and makes a session_id', () => {
  const { request } = parseChatCommand({ query: '  What is URDF?  ' }, none);
  expect(request).toEqual({
    message: 'What is URDF?',
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    top_k: 5,
    on_disconnect: 'cancel',
  });
});

import { chatRequestBodySchema } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { chatCommand, type Negotiation } from './chat-command.js';

const none: Negotiation = { accept: undefined, prefer: undefined };
const commandOf = (body: object, negotiation: Partial<Negotiation> = {}) =>
  chatCommand(chatRequestBodySchema.parse(body), { ...none, ...negotiation });

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
it.each(cases)(
  'a question with the fields %j and the negotiation %j gets the form %s',
  (body, negotiation, form) => {
    expect(commandOf({ message: 'Hi', ...body }, negotiation).form).toBe(form);
  },
);

it('a command has the trimmed question, whichever field named it, and a new session id', () => {
  const { request } = commandOf({ query: '  What is URDF?  ' });
  expect(request).toEqual({
    message: 'What is URDF?',
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    top_k: 5,
    on_disconnect: 'cancel',
  });
});

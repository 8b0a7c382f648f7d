import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { ModelFailureKind } from './chat-model.js';
import { OpenAiChatModel } from './openai-chat-model.js';
import { ProviderClient } from './provider-error.js';

async function failureOf(status: number, type: string, body: string) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = new ProviderClient({ apiKey: 'key', baseURL: `http://127.0.0.1:${port}`, logLevel: 'off' });
  const limits = { firstTokenMs: 60_000, idleMs: 60_000, thinkingMs: 60_000 };
  const model = new OpenAiChatModel(client, 'id', 'flash', limits);
  const stream = model.stream(
    { messages: [{ role: 'user', content: 'Why?' }] },
    new AbortController().signal,
  );
  return stream[Symbol.asyncIterator]()
    .next()
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

const google = {
  error: {
    code: 400,
    message: 'The key is not one of ours.',
    status: 'INVALID_ARGUMENT',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US' },
    ],
  },
};
const openAi = {
  error: {
    message: 'Too long.',
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
};
const mistral = { object: 'error', message: 'No', type: 'invalid_model', param: null, code: '1500' };
const xAi = { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: ab***.' };
const inStream = 'data: {"error":{"message":"too long","code":400}}\n\ndata: [DONE]\n\n';

it.each<[title: string, kind: ModelFailureKind, status: number, body: unknown]>([
  ['wraps an error', 'rejected', 400, openAi],
  ['puts an error into a list', 'misconfigured', 400, [google]],
  ['puts an error into no list', 'misconfigured', 400, google],
  ['wraps no error', 'misconfigured', 400, mistral],
  ['sends a string as the error', 'misconfigured', 400, xAi],
  ['sends plain text', 'rejected', 400, 'no'],
  ['sends an empty body', 'rejected', 400, ''],
  ['sends fields of other types', 'rejected', 400, { error: { message: [], code: {}, details: 'x' } }],
  ['sends JSON that is no object', 'rejected', 400, [null]],
])('the refusal of a provider that %s is %s', async (_title, kind, status, body) => {
  const [type, text] =
    typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)];
  expect(await failureOf(status, type, text)).toMatchObject({ name: 'ModelFailure', kind });
});

it('the kind of a refusal within a stream follows from its code', async () => {
  expect(await failureOf(200, 'text/event-stream', inStream)).toMatchObject({ kind: 'rejected' });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { plainText } from '../src/plain-text.js';
import { recordingTerminal, type RecordingTerminal } from './recording-terminal.js';
import {
  ANSWER,
  SESSION,
  bookSource,
  cancelled,
  completed,
  delta,
  failed,
  queued,
  reset,
  response,
  status,
} from './run-story.js';
import { RUN, startScriptedGateway, type Exchange, type Play } from './scripted-gateway.js';
import { startQuire } from './start-quire.js';

const SOURCES =
  '\n[1] Nodes and Topics › The computation graph › Topics\n    https://physical-ai.example/docs/ros2/nodes#graph\n';
const SUMMARY = 'high confidence · full · scripted · 1,234 tokens · 3.2 s\n';
const noColour = { NO_COLOR: '1' };

interface AskCall {
  args?: readonly string[];
  env?: Record<string, string>;
  terminal?: RecordingTerminal;
}

async function ask(
  routes: Record<string, Play | Play[]>,
  { args = ['How do nodes talk?'], env = {}, terminal = recordingTerminal() }: AskCall = {},
) {
  const gateway = await startScriptedGateway(routes);
  const quire = startQuire({
    args: ['ask', ...args],
    env: { QUIRE_URL: gateway.url, ...noColour, ...env },
    terminal,
  });
  return { gateway, ...quire };
}

const answering =
  (...events: Parameters<Exchange['send']>[0]): Play =>
  (exchange) =>
    exchange.send(events);

it('quire ask into a pipe prints one answer with its sources, and the summary on stderr', async () => {
  const { terminal, exitCode } = await ask({
    'POST /chat/stream': answering(
      queued(),
      status('retrieving'),
      delta('Wrong'),
      reset(),
      delta(ANSWER),
      completed(),
    ),
  });
  expect(await exitCode).toBe(0);
  expect(terminal.stdout).toBe(`${ANSWER}\n${SOURCES}`);
  expect(terminal.output).toBe(`${ANSWER}\n${SOURCES}${SUMMARY}`);
});

it('quire ask into a pipe prints nothing before the answer, and nothing on stdout without one', async () => {
  const { terminal, exitCode } = await ask({
    'POST /chat/stream': answering(delta('Half an ans'), failed()),
  });
  expect(await exitCode).toBe(1);
  expect(terminal.stdout).toBe('');
  expect(terminal.output).toBe(
    `The index is not reachable. Try again in 7 s.\nRETRIEVAL_UNAVAILABLE, request ${RUN}\n`,
  );
});

it('quire ask into a pipe prints the refusal alone when the book does not hold the answer', async () => {
  const refusal = response({ answer: 'The book does not say.', sources: [] }, { mode: 'no_results' });
  const { terminal, exitCode } = await ask({ 'POST /chat/stream': answering(completed(refusal)) });
  expect(await exitCode).toBe(0);
  expect(terminal.output).toBe('The book does not say.\n');
});

it('quire ask into a pipe with --json prints the response as one document without control characters', async () => {
  const hostile = response({ answer: 'a\u001B[2J\u009B1m' });
  const { terminal, exitCode } = await ask(
    { 'POST /chat/stream': answering(delta('a'), completed(hostile)) },
    { args: ['Hi', '--json'] },
  );
  expect(await exitCode).toBe(0);
  expect(JSON.parse(terminal.stdout)).toEqual(hostile);
  expect(terminal.stdout).toBe(plainText(terminal.stdout));
  expect(terminal.output).toBe(terminal.stdout);
});

it('quire ask on a terminal shows text as it comes, then sources and summary', async () => {
  let goOn = () => {};
  const { terminal, exitCode } = await ask(
    {
      'POST /chat/stream': async (exchange) => {
        exchange.send([queued(), status('retrieving'), delta('Nodes exchange ')]);
        await new Promise<void>((resolve) => (goOn = resolve));
        exchange.send([delta('messages on topics [1].'), completed()], 4);
      },
    },
    { terminal: recordingTerminal(true) },
  );
  await eventually(() => expect(terminal.stdout).toMatch(/Nodes exchange $/));
  expect(terminal.stdout).toContain('Searching …\r\u001B[2K');
  goOn();
  expect(await exitCode).toBe(0);
  expect(terminal.stdout).toMatch(/Nodes exchange messages on topics \[1\]\.\n\n\[1\]/);
  expect(terminal.stdout.endsWith(`${SOURCES}\n${SUMMARY}`)).toBe(true);
});

it('quire ask on a terminal erases what it has drawn when the answer starts over', async () => {
  const { terminal, exitCode } = await ask(
    { 'POST /chat/stream': answering(delta('Wrong\nline'), reset(), delta(ANSWER), completed()) },
    { terminal: recordingTerminal(true) },
  );
  expect(await exitCode).toBe(0);
  expect(terminal.stdout).toContain(`Wrong\nline\r\u001B[1A\u001B[J${ANSWER}\n`);
});

it('quire ask on a terminal shows the whole answer when the stream lacked a part', async () => {
  const { terminal, exitCode } = await ask(
    { 'POST /chat/stream': answering(delta('Nodes'), completed()) },
    { terminal: recordingTerminal(true) },
  );
  expect(await exitCode).toBe(0);
  expect(terminal.stdout).toContain(`Nodes\r\u001B[J${ANSWER}\n`);
});

it('quire ask on a terminal prints no control characters of an answer or a title', async () => {
  const answer = 'a\u001B]0;owned\u0007b';
  const source = bookSource({ title: '\u001B[2Jtitle' });
  const { terminal, exitCode } = await ask(
    { 'POST /chat/stream': answering(delta(answer), completed(response({ answer, sources: [source] }))) },
    { terminal: recordingTerminal(true) },
  );
  expect(await exitCode).toBe(0);
  expect(terminal.stdout).toContain('a]0;ownedb\n');
  expect(terminal.stdout).toBe(plainText(terminal.stdout));
});

it('quire ask prints every word once when its connection breaks', async () => {
  const { gateway, terminal, exitCode } = await ask(
    {
      'POST /chat/stream': (exchange) => {
        exchange.send([queued(), delta('Nodes exchange ')]);
        exchange.cut();
      },
      'GET /chat/{id}/stream': (exchange) =>
        exchange.send([delta('messages on topics [1].'), completed()], 3),
    },
    { terminal: recordingTerminal(true) },
  );
  expect(await exitCode).toBe(0);
  expect(gateway.received('GET /chat/{id}/stream')[0]?.headers['last-event-id']).toBe('2');
  expect(terminal.stdout).toContain(`\u001B[2K${ANSWER}\n`);
});

const running: Play = (exchange) => exchange.send([queued(), delta('Nodes')]);

const interruptWhileAnswering = async (answer: unknown, httpStatus = 200) => {
  const call = await ask(
    {
      'POST /chat/stream': running,
      'DELETE /chat/{id}': (exchange) =>
        exchange.json(httpStatus, { request_id: RUN, ...(answer as object) }),
    },
    { terminal: recordingTerminal(true) },
  );
  await eventually(() => expect(call.terminal.stdout).toContain('Nodes'));
  call.interrupt();
  expect(await call.exitCode).toBe(130);
  expect(call.gateway.received('DELETE /chat/{id}')).toHaveLength(1);
  return call.terminal.output;
};

const tokens_used = { prompt: 40, completion: 2, total: 42 };

it.each([
  [{ state: 'cancelled', tokens_used }, 200, 'Nodes\nCancelled (42 tokens).\n'],
  [{ state: 'cancelling' }, 202, 'Nodes\nCancelling: the worker has not confirmed yet.\n'],
  [
    { state: 'completed', tokens_used },
    200,
    'Nodes\nToo late to cancel: the run had completed (42 tokens).\n',
  ],
  [{ state: 'failed', tokens_used: null }, 200, 'Nodes\nToo late to cancel: the run had failed.\n'],
  [{ error_code: 'QUEUE_UNAVAILABLE', message: 'Away' }, 503, /could not be cancelled/],
])(
  'an interrupted quire ask cancels the run and prints how it ended: %j',
  async (answer, httpStatus, words) => {
    expect(await interruptWhileAnswering(answer, httpStatus)).toMatch(words);
  },
);

it('quire ask that is interrupted before the question is accepted cancels it after that', async () => {
  let accept = () => {};
  const { gateway, terminal, exitCode, interrupt } = await ask({
    'POST /chat/stream': async (exchange) => {
      await new Promise<void>((resolve) => (accept = resolve));
      exchange.send([queued()]);
    },
    'DELETE /chat/{id}': (exchange) =>
      exchange.json(200, { request_id: RUN, state: 'cancelled', tokens_used }),
  });
  await eventually(() => expect(gateway.requests).toHaveLength(1));
  interrupt();
  accept();
  expect(await exitCode).toBe(130);
  expect(terminal.output).toBe('Cancelled (42 tokens).\n');
});

it('quire ask whose run another client cancels prints that and ends with 1', async () => {
  const { terminal, exitCode } = await ask({ 'POST /chat/stream': answering(cancelled(9)) });
  expect(await exitCode).toBe(1);
  expect(terminal.output).toBe('The run was cancelled by another client (9 tokens).\n');
});

const sent = async (call: AskCall) => {
  const { gateway, exitCode } = await ask({ 'POST /chat/stream': answering(completed()) }, call);
  expect(await exitCode).toBe(0);
  return gateway.requests[0];
};

it('quire ask sends the question alone by default', async () => {
  const request = await sent({ args: ['How', 'do', 'nodes', 'talk?'] });
  expect(request?.body).toEqual({ message: 'How do nodes talk?' });
  expect(request?.headers.authorization).toBeUndefined();
});

it('quire ask sends what the options say, and the key', async () => {
  const options = ['--session', SESSION, '--top-k', '3', '--module', 'ros2', '--url-prefix', 'https://x/'];
  const request = await sent({ args: ['Hi', ...options], env: { QUIRE_API_KEY: 'secret' } });
  expect(request?.body).toEqual({
    message: 'Hi',
    session_id: SESSION,
    top_k: 3,
    filters: { module: 'ros2', url_prefix: 'https://x/' },
  });
  expect(request?.headers.authorization).toBe('Bearer secret');
  const other = await sent({ args: ['Hi', '--api-key', 'mine'], env: { QUIRE_API_KEY: 'secret' } });
  expect(other?.headers.authorization).toBe('Bearer mine');
  expect(other?.body).toEqual({ message: 'Hi' });
});

it('quire ask sends the question that was piped in', async () => {
  const request = await sent({
    args: [],
    terminal: recordingTerminal(false, { piped: 'What is\na node?\n' }),
  });
  expect(request?.body).toEqual({ message: 'What is\na node?' });
});

it('quire ask sends the selected text of a file or of the pipe', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-selection-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'passage.txt');
  await writeFile(file, ' A node is.\n');
  expect((await sent({ args: ['Hi', '--selected-text', file] }))?.body).toEqual({
    message: 'Hi',
    selected_text: ' A node is.\n',
  });
  const terminal = recordingTerminal(false, { piped: 'piped' });
  expect((await sent({ args: ['Hi', '--selected-text', '-'], terminal }))?.body).toMatchObject({
    selected_text: 'piped',
  });
});

const refuse =
  (httpStatus: number, body: object, headers = {}): Play =>
  (exchange) =>
    exchange.json(httpStatus, { request_id: RUN, ...body }, headers);

it.each([
  [
    'too many requests',
    refuse(429, { error_code: 'RATE_LIMITED', message: 'Too many requests' }, { 'retry-after': '12' }),
    `Too many requests. Try again in 12 s.\nRATE_LIMITED, request ${RUN}\n`,
  ],
  [
    'a bad request',
    refuse(400, {
      error_code: 'INVALID_REQUEST',
      message: 'The request is not valid',
      details: [{ path: 'session_id', problem: 'is no UUID' }],
    }),
    `The request is not valid.\n  session_id: is no UUID\nINVALID_REQUEST, request ${RUN}\n`,
  ],
  [
    'something else than a gateway',
    refuse(502, {}),
    /answered with status 502: is that a Quire gateway\?\n$/,
  ],
])('quire ask prints %s and ends with 1', async (_, play, words) => {
  const { terminal, exitCode } = await ask({ 'POST /chat/stream': play });
  expect(await exitCode).toBe(1);
  expect(terminal.output).toMatch(words);
  expect(terminal.stdout).toBe('');
});

it('quire ask prints what to do when there is no gateway', async () => {
  const { terminal, exitCode } = startQuire({ args: ['ask', 'Hi', '--url', 'http://127.0.0.1:9'] });
  expect(await exitCode).toBe(1);
  expect(terminal.output).toMatch(
    /^Quire does not answer at http:\/\/127\.0\.0\.1:9: start it with `npm start`.*\n$/,
  );
});

it.each([
  ['no question', [], {}, /There is no question/],
  ['an empty pipe', [], { piped: ' \n' }, /There is no question/],
  ['a pipe for two', ['--selected-text', '-'], { piped: 'x' }, /Give the question as an argument/],
  ['a selection that is not there', ['Hi', '--selected-text', '/no/such'], {}, /cannot be read: ENOENT/],
  ['an address that is none', ['Hi', '--url', 'localhost'], {}, /http:\/\/ or https:\/\/ URL/],
  ['too many passages', ['Hi', '--top-k', '11'], {}, /whole number from 1 to 10/],
])('quire ask with %s ends with 2', async (_, args, script, words) => {
  const { gateway, terminal, exitCode } = await ask({}, { args, terminal: recordingTerminal(false, script) });
  expect(await exitCode).toBe(2);
  expect(terminal.output).toMatch(words);
  expect(gateway.requests).toEqual([]);
});

import { eventually } from '@quire/testkit';
import { expect, it } from 'vitest';
import type { Terminal } from '../src/terminal.js';
import { recordingTerminal } from './recording-terminal.js';
import { ANSWER, SESSION, completed, delta, failed, queued, response } from './run-story.js';
import { RUN, startScriptedGateway, type Play } from './scripted-gateway.js';
import { startQuire } from './start-quire.js';

const OTHER = '33333333-3333-4333-8333-333333333333';
const thread = (session_id: string, title: string) => ({
  session_id,
  title,
  topic_summary: null,
  status: 'active',
  message_count: 4,
  created_at: '2026-11-16T12:00:00.000Z',
  updated_at: '2026-11-16T12:00:00.000Z',
});

const routes = {
  'POST /chat/stream': (exchange) => exchange.send([delta(ANSWER), completed()]),
  'GET /threads': (exchange) =>
    exchange.json(200, { threads: [thread(OTHER, 'Why \u001B[2JROS?'), thread(SESSION, 'What is a node?')] }),
} satisfies Record<string, Play>;

type Prompt = NonNullable<Terminal['prompt']>;

/** A user who types these lines and then Ctrl-D. */
function typing(...lines: string[]): Prompt {
  return () => Promise.resolve(lines.shift());
}

async function chat(prompt: Prompt, args: string[] = [], played: Record<string, Play | Play[]> = routes) {
  const gateway = await startScriptedGateway(played);
  const terminal = recordingTerminal(true, { prompt });
  const env = { QUIRE_URL: gateway.url, NO_COLOR: '1' };
  const quire = startQuire({ args: ['chat', ...args], env, terminal });
  const sessions = () =>
    gateway.received('POST /chat/stream').map(({ body }) => (body as { session_id: string }).session_id);
  return { gateway, sessions, ...quire };
}

it('quire chat asks one question after another in one thread, until Ctrl-D or /quit', async () => {
  for (const end of [[], ['/quit', 'never asked']]) {
    const { sessions, terminal, exitCode } = await chat(typing('One?', '  ', 'Two?', ...end));
    expect(await exitCode).toBe(0);
    const [first, second, ...more] = sessions();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, ...more]).toEqual([first]);
    expect(terminal.stdout.split(ANSWER)).toHaveLength(3);
  }
});

it('quire chat continues the thread that --session names', async () => {
  const { sessions, exitCode } = await chat(typing('One?'), ['--session', SESSION]);
  expect(await exitCode).toBe(0);
  expect(sessions()).toEqual([SESSION]);
});

it('quire chat starts a new thread with /new', async () => {
  const { sessions, exitCode } = await chat(typing('One?', '/new', 'Two?'), ['--session', SESSION]);
  expect(await exitCode).toBe(0);
  const [, second] = sessions();
  expect(second).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).not.toBe(SESSION);
});

it('quire chat lists threads by number, the current one marked, and opens one by number or id', async () => {
  const lines = ['/threads', '/open 1', 'One?', `/open ${SESSION}`, 'Two?'];
  const { sessions, terminal, exitCode } = await chat(typing(...lines), ['--session', SESSION]);
  expect(await exitCode).toBe(0);
  expect(terminal.output).toMatch(/^ {3}1 {2}Why \[2JROS\? \(4 messages, /m);
  expect(terminal.output).toMatch(/^\* {2}2 {2}What is a node\? \(4 messages, /m);
  expect(terminal.output).toContain('Continuing “Why [2JROS?”.\n');
  expect(sessions()).toEqual([OTHER, SESSION]);
});

it('quire chat stays in its thread when the thread to open does not exist', async () => {
  const lines = ['/open 1', '/threads', '/open 3', '/open nonsense', '/open', 'One?'];
  const { sessions, terminal, exitCode } = await chat(typing(...lines), ['--session', SESSION]);
  expect(await exitCode).toBe(0);
  expect(terminal.output.match(/There is no such thread/g)).toHaveLength(4);
  expect(sessions()).toEqual([SESSION]);
});

it('quire chat shows the sources of the last answer again, with snippets', async () => {
  const { terminal, exitCode } = await chat(typing('/sources', 'One?', '/sources', '/new', '/sources'));
  expect(await exitCode).toBe(0);
  expect(terminal.output.match(/There are no sources to show/g)).toHaveLength(2);
  expect(terminal.output.match(/Nodes discover one another/g)).toHaveLength(1);
});

it('quire chat lists its commands, and names an unknown one', async () => {
  const { gateway, terminal, exitCode } = await chat(typing('/help', '/opne 3', '/constructor'));
  expect(await exitCode).toBe(0);
  for (const name of ['/new', '/threads', '/open <number|id>', '/sources', '/help', '/quit']) {
    expect(terminal.output).toMatch(new RegExp(`^  ${name.replace('|', '\\|')} +\\w`, 'm'));
  }
  expect(terminal.output).toContain('/opne is unknown: /help lists the commands.\n');
  expect(terminal.output).toContain('/constructor is unknown');
  expect(gateway.requests).toEqual([]);
});

it('quire chat goes on after a question that failed', async () => {
  const plays: Play[] = [
    (exchange) => exchange.send([failed()]),
    (exchange) =>
      exchange.json(429, { error_code: 'RATE_LIMITED', message: 'Too many' }, { 'retry-after': '3' }),
    routes['POST /chat/stream'],
  ];
  const { terminal, exitCode } = await chat(typing('One?', 'Two?', 'Three?'), [], {
    'POST /chat/stream': plays,
  });
  expect(await exitCode).toBe(0);
  expect(terminal.output).toContain('The index is not reachable. Try again in 7 s.');
  expect(terminal.output).toContain('Too many. Try again in 3 s.');
  expect(terminal.stdout).toContain(ANSWER);
});

it('quire chat with --json prints one response a line and nothing else', async () => {
  const { terminal, exitCode } = await chat(typing('One?', 'Two?'), ['--json']);
  expect(await exitCode).toBe(0);
  const lines = terminal.stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([response(), response()]);
});

const running: Play = (exchange) => exchange.send([queued(), delta('Nodes')]);
const confirm: Play = (exchange) =>
  exchange.json(200, {
    request_id: RUN,
    state: 'cancelled',
    tokens_used: { prompt: 7, completion: 0, total: 7 },
  });

it('Ctrl-C during an answer in quire chat cancels it and returns to the prompt', async () => {
  const { gateway, sessions, terminal, exitCode, interrupt } = await chat(typing('One?', 'Two?'), [], {
    'POST /chat/stream': [running, routes['POST /chat/stream']],
    'DELETE /chat/{id}': confirm,
  });
  await eventually(() => expect(terminal.stdout).toContain('Nodes'));
  interrupt();
  expect(await exitCode).toBe(0);
  expect(terminal.output).toContain('Nodes\nCancelled (7 tokens).\n');
  expect(gateway.received('DELETE /chat/{id}')).toHaveLength(1);
  expect(sessions()).toHaveLength(2);
  expect(terminal.stdout).toContain(ANSWER);
});

it('Ctrl-C at the prompt of quire chat ends it', async () => {
  let asked = 0;
  const waiting: Prompt = (_text, signal) => {
    asked += 1;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };
  const { exitCode, interrupt } = await chat(waiting);
  await eventually(() => expect(asked).toBe(1));
  interrupt();
  expect(await exitCode).toBe(130);
});

async function pipe(piped: string, played: Record<string, Play | Play[]> = routes, args: string[] = []) {
  const gateway = await startScriptedGateway(played);
  const terminal = recordingTerminal(false, { piped });
  const quire = startQuire({ args: ['chat', ...args], env: { QUIRE_URL: gateway.url }, terminal });
  return { gateway, ...quire };
}
const asked = ({ gateway }: Awaited<ReturnType<typeof pipe>>) =>
  gateway.requests.map(({ body }) => body as { message: string; session_id: string });

it('quire chat asks every line of piped input in order, in one thread', async () => {
  const call = await pipe('One?\r\n\n  Two?\n/new Three?');
  expect(await call.exitCode).toBe(0);
  expect(asked(call).map(({ message }) => message)).toEqual(['One?', 'Two?', '/new Three?']);
  expect(new Set(asked(call).map(({ session_id }) => session_id)).size).toBe(1);
  expect(call.terminal.stdout.split(ANSWER)).toHaveLength(4);
});

it('quire chat with piped input goes on after a question that failed, and ends with 1', async () => {
  const call = await pipe('One?\nTwo?\n', {
    'POST /chat/stream': [(exchange) => exchange.send([failed()]), routes['POST /chat/stream']],
  });
  expect(await call.exitCode).toBe(1);
  expect(asked(call)).toHaveLength(2);
  expect(call.terminal.stdout).toContain(ANSWER);
});

it('quire chat with piped input and --json prints one response a line', async () => {
  const call = await pipe('One?\nTwo?\n', routes, ['--json']);
  expect(await call.exitCode).toBe(0);
  const lines = call.terminal.stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([response(), response()]);
});

it('quire chat without a terminal and piped input ends with 2', async () => {
  const { terminal, exitCode } = startQuire({ args: ['chat'], env: { QUIRE_URL: 'http://127.0.0.1:9' } });
  expect(await exitCode).toBe(2);
  expect(terminal.output).toMatch(/needs a terminal/);
});

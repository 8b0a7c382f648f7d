import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@quire/testkit';
import { type TestContext, expect, it, onTestFinished } from 'vitest';
import { ANSWER, completed, delta, queued } from './run-story.js';
import { RUN, startScriptedGateway, type Play } from './scripted-gateway.js';

const program = fileURLToPath(new URL('../bin/quire.js', import.meta.url));
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** `quire` on a terminal of its own, which util-linux' `script` provides. */
function quireOnTerminal(context: TestContext, gatewayUrl: string, ...args: string[]) {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  if (!stdout?.includes('util-linux'))
    context.skip('there is no `script` of util-linux to make a terminal with');
  // A shell in between would receive the Ctrl-C, too.
  const command = `exec ${[process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', NO_COLOR: '1', QUIRE_URL: gatewayUrl },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  return {
    type: (text: string) => void child.stdin.write(text),
    shows: (text: string | RegExp) => eventually(() => expect(output).toMatch(text)),
    exit: once(child, 'close').then(([code]) => code as number | null),
  };
}

const running: Play = (exchange) => exchange.send([queued(), delta('Half a')]);
const answering: Play = (exchange) => exchange.send([delta(ANSWER), completed()]);
const confirm: Play = (exchange) =>
  exchange.json(200, {
    request_id: RUN,
    state: 'cancelled',
    tokens_used: { prompt: 42, completion: 0, total: 42 },
  });

it('Ctrl-C ends quire ask with 130 when the run is cancelled', async (context) => {
  const gateway = await startScriptedGateway({ 'POST /chat/stream': running, 'DELETE /chat/{id}': confirm });
  const quire = quireOnTerminal(context, gateway.url, 'ask', 'Hi');
  await quire.shows('Half a');
  quire.type(CTRL_C);
  await quire.shows('Cancelled (42 tokens).');
  expect(await quire.exit).toBe(130);
});

it('a second Ctrl-C ends quire ask at once, whether the cancellation is confirmed or not', async (context) => {
  const gateway = await startScriptedGateway({ 'POST /chat/stream': running, 'DELETE /chat/{id}': () => {} });
  const quire = quireOnTerminal(context, gateway.url, 'ask', 'Hi');
  await quire.shows('Half a');
  quire.type(CTRL_C);
  await eventually(() => expect(gateway.received('DELETE /chat/{id}')).toHaveLength(1));
  quire.type(CTRL_C);
  expect(await quire.exit).toBe(130);
});

it('quire chat takes pasted lines one by one, survives a cancelled answer and ends with Ctrl-D', async (context) => {
  const gateway = await startScriptedGateway({
    'POST /chat/stream': [answering, answering, running, answering],
    'DELETE /chat/{id}': confirm,
  });
  const quire = quireOnTerminal(context, gateway.url, 'chat');
  const asked = () =>
    gateway.received('POST /chat/stream').map(({ body }) => (body as { message: string }).message);
  await quire.shows('> ');
  quire.type('One?\rTwo?\rThree?\r');
  await quire.shows('Half a');
  quire.type(CTRL_C);
  await quire.shows('Cancelled (42 tokens).');
  quire.type('Four?\r');
  await quire.shows(/Four\?[^]*tokens · 3\.2 s\s+[^]*> /);
  quire.type(CTRL_D);
  expect(await quire.exit).toBe(0);
  expect(asked()).toEqual(['One?', 'Two?', 'Three?', 'Four?']);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { streamAnswer } from '../test/ask.js';
import { openAiClient } from '../test/use-providers.js';
import { startFromCommandLine } from './command-line.js';
import type { ScriptedProviders } from './scripted-providers.js';

const start = async (...args: string[]): Promise<ScriptedProviders> => {
  const providers = await startFromCommandLine(args);
  onTestFinished(() => providers.close());
  return providers;
};

const scriptFile = async (script: object): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'scripted-providers-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'script.json');
  await writeFile(file, JSON.stringify(script));
  return file;
};

it('--tokens sets the length of the default answer', async () => {
  const providers = await start('--tokens', '25', '--token-ms', '0');
  const { chunks } = await streamAnswer(openAiClient(providers.openaiBaseUrl));
  expect(chunks.filter((chunk) => chunk.choices[0]?.delta.content)).toHaveLength(25);
});

it('--script enqueues behaviours and replaces the default the flags made', async () => {
  const file = await scriptFile({
    chat: {
      queue: [
        { kind: 'answer', text: 'First.' },
        { kind: 'error', status: 503 },
      ],
      byDefault: { kind: 'answer', text: 'From then on.' },
    },
    embeddings: { byDefault: { kind: 'vectors', dimension: 4 } },
  });
  const client = openAiClient((await start('--script', file, '--tokens', '9')).openaiBaseUrl);
  expect((await streamAnswer(client)).text).toBe('First.');
  await expect(streamAnswer(client)).rejects.toMatchObject({ status: 503 });
  expect((await streamAnswer(client)).text).toBe('From then on.');
  const { data } = await client.embeddings.create({ model: 'any', input: 'x' });
  expect(data[0]?.embedding).toHaveLength(4);
});

it('a server that was started from the command line records no requests', async () => {
  const providers = await start();
  await streamAnswer(openAiClient(providers.openaiBaseUrl));
  expect(providers.chat.requests).toEqual([]);
});

it.each([
  ['an unknown flag', 'Unknown option', ['--speed', '3']],
  ['a number that is none', 'expected number', ['--port', 'soon']],
  ['a negative time', '>=0', ['--token-ms=-1']],
])('the flag %s is refused', async (_, reason, args) => {
  await expect(startFromCommandLine(args)).rejects.toThrow(reason);
});

it('an invalid script file is refused', async () => {
  const file = await scriptFile({ chat: { queue: [{ kind: 'answer', text: 1 }] } });
  await expect(startFromCommandLine(['--script', file])).rejects.toThrow('expected string');
});

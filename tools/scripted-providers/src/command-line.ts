import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { applyScript } from './script-file.js';
import { type ScriptedProviders, startScriptedProviders } from './scripted-providers.js';

const milliseconds = z.coerce.number().min(0).default(0);

const flagsSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535).default(0),
  'first-token-ms': milliseconds,
  'token-ms': milliseconds,
  tokens: z.coerce.number().int().min(1).optional(),
  'embed-ms': milliseconds,
  script: z.string().optional(),
});

/** The flags set the default behaviours; a script file may replace them. */
export async function startFromCommandLine(args: string[]): Promise<ScriptedProviders> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      port: option,
      'first-token-ms': option,
      'token-ms': option,
      tokens: option,
      'embed-ms': option,
      script: option,
    },
  });
  const flags = flagsSchema.parse(values);
  const script: unknown = flags.script === undefined ? {} : JSON.parse(await readFile(flags.script, 'utf8'));

  // Otherwise a long benchmark would keep every prompt.
  const providers = await startScriptedProviders({ port: flags.port, keepRequests: 0 });
  providers.chat.byDefault({
    kind: 'answer',
    firstTokenMs: flags['first-token-ms'],
    tokenMs: flags['token-ms'],
    tokenCount: flags.tokens,
  });
  providers.embeddings.byDefault({ kind: 'vectors', latencyMs: flags['embed-ms'] });
  try {
    applyScript(providers, script);
  } catch (error) {
    await providers.close();
    throw error;
  }
  return providers;
}

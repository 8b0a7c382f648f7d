import { createLogger } from '@quire/shared/logging';
import { awaitRedis, connectRedis } from '@quire/shared/redis';
import { Command, InvalidArgumentError } from 'commander';
import type { Redis } from 'ioredis';
import { CommandFailure } from '../command-failure.js';
import { redisAddress, type Surroundings } from '../redis-address.js';
import type { Terminal } from '../terminal.js';
import { ingestBook } from './ingest-book.js';

const CONNECT_LIMIT_MS = 5000;

export interface CommandContext extends Surroundings {
  terminal: Terminal;
  /** Fires when the user wants to stop. */
  signal: AbortSignal;
  onExitCode: (code: number) => void;
}

export function ingestCommand({ terminal, signal, onExitCode, ...surroundings }: CommandContext): Command {
  return new Command('ingest')
    .description('put the Markdown pages of a book or documentation folder into the index')
    .argument('<folder>', 'where the .md and .mdx pages are; names that start with _ or . are left out')
    .requiredOption(
      '--base-url <url>',
      'where the site is published, such as https://example.org/docs',
      webAddress,
    )
    .action(async (folder: string, { baseUrl }: { baseUrl: string }) => {
      const redis = await openRedis(await redisAddress(surroundings));
      try {
        onExitCode(await ingestBook({ folder, baseUrl }, { redis, terminal, signal }));
      } catch (error) {
        if (!signal.aborted) throw error;
        terminal.note('Stopped waiting. Pages that are already in the queue go on without this command.\n');
      } finally {
        redis.disconnect();
      }
    });
}

function webAddress(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new InvalidArgumentError('It must be an http:// or https:// URL.');
}

/** Commands wait while Redis is away and are sent again when it is back. */
async function openRedis(url: string): Promise<Redis> {
  const redis = connectRedis(url, 'worker', createLogger('cli', 'silent'));
  await awaitRedis(redis, CONNECT_LIMIT_MS).catch(() => {
    redis.disconnect();
    throw new CommandFailure(`Redis does not answer at ${withoutPassword(url)}: is it running?`);
  });
  return redis;
}

function withoutPassword(url: string): string {
  const address = new URL(url);
  if (address.password) address.password = '***';
  return address.href;
}

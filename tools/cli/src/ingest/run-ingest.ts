import { resolve } from 'node:path';
import { openSource, UnusableSource, type BookSource } from '@quire/book/sources';
import { ingestBook, previewBook, succeeded } from '@quire/ingestion';
import type { SiteLayout } from '@quire/shared/contracts';
import type { CommandContext } from '../command-context.js';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { indexName, openRedis, redisAddress } from '../connections.js';
import { isWebAddress } from '../option-values.js';
import { Progress } from '../progress.js';
import { dryRunJson, dryRunLine, dryRunText } from './dry-run-report.js';
import { summaryJson, summaryText } from './ingestion-summary.js';
import { ingestionView } from './ingestion-view.js';

export interface IngestOptions {
  baseUrl?: string;
  layout?: SiteLayout;
  translations?: boolean;
  dryRun?: boolean;
  json?: boolean;
  verbose?: boolean;
  allowPrivate?: boolean;
  maxPages?: number;
  concurrency?: number;
}

export type RunContext = Omit<CommandContext, 'onExitCode'>;

/** Returns the exit code: 1 if any page failed. */
export async function runIngest(given: string, options: IngestOptions, context: RunContext): Promise<number> {
  const source = await openBook(given, options, context);
  try {
    return await (options.dryRun ? showOnly : ingest)(source, options, context);
  } finally {
    await source.close();
  }
}

async function showOnly(
  source: BookSource,
  { json, verbose }: IngestOptions,
  { terminal, signal }: RunContext,
): Promise<number> {
  if (!json) terminal.write(introduction(source));
  const result = await previewBook(source, signal, (page) => {
    if (!json) terminal.write(dryRunLine(page));
  });
  const report = dryRunJson(result);
  terminal.write(json ? `${JSON.stringify(report)}\n` : dryRunText(result, verbose));
  return report.ok ? exitCodes.ok : exitCodes.failed;
}

async function ingest(
  source: BookSource,
  { json, verbose }: IngestOptions,
  { terminal, signal, ...surroundings }: RunContext,
): Promise<number> {
  const index = await indexName(surroundings);
  const redis = await openRedis(await redisAddress(surroundings));
  const progress = new Progress(terminal, { quiet: json });
  try {
    if (!json) terminal.write(introduction(source));
    const onEvent = ingestionView(progress);
    const report = await ingestBook(source, { redis, index, signal, onEvent }).finally(() =>
      progress.clear(),
    );
    terminal.write(json ? `${JSON.stringify(summaryJson(report))}\n` : summaryText(report, verbose));
    return succeeded(report) ? exitCodes.ok : exitCodes.failed;
  } finally {
    redis.disconnect();
  }
}

async function openBook(
  given: string,
  { baseUrl, layout, translations, allowPrivate, maxPages, concurrency }: IngestOptions,
  { cwd, signal, terminal }: RunContext,
): Promise<BookSource> {
  const isSite = isWebAddress(given);
  if (!isSite && baseUrl === undefined) {
    throw new CommandFailure(
      'A folder or file does not say where its pages are published: add --base-url, such as ' +
        '--base-url https://example.org/docs.',
      exitCodes.usage,
    );
  }
  const note = (text: string) => terminal.note(`${text}\n`);
  try {
    const source = isSite ? given : resolve(cwd, given);
    const site = { allowPrivate, maxPages, concurrency };
    return await openSource(source, { baseUrl, layout, translations, site, signal, note });
  } catch (error) {
    if (!(error instanceof UnusableSource)) throw error;
    // A site may be down; a wrong folder is a wrong argument.
    throw new CommandFailure(error.message, isSite ? exitCodes.failed : exitCodes.usage);
  }
}

const introduction = ({ description, baseUrl }: BookSource) => `${description} → ${baseUrl}\n`;

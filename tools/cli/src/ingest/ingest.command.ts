import { siteLayoutSchema } from '@quire/shared/contracts';
import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.js';
import { numberFrom, webAddress } from '../option-values.js';
import { runIngest, type IngestOptions } from './run-ingest.js';

const EXAMPLES = `
Examples:
  quire ingest books/physical-ai/docs --base-url https://physical-ai.example/docs
  quire ingest ./site --base-url https://example.org --layout mdbook
  quire ingest docs/setup.md --base-url https://example.org/docs    one page of a book
  quire ingest https://example.org/docs --max-pages 500             a site with a sitemap
  quire ingest docs --base-url https://example.org/docs --dry-run   see what would be ingested

Run it again whenever the book has changed, or after it was interrupted: only new chunks are
embedded, and pages that are gone are removed. The base URL is the book's name: an index may
hold several books.
`;

const STOPPED =
  'Stopped. Pages that are already in the queue are still processed.\n' +
  'Run the same command again to finish: chunks that are in the index are not embedded again.\n';

export function ingestCommand({ terminal, signal, onExitCode, ...surroundings }: CommandContext): Command {
  return new Command('ingest')
    .summary('bring a book or a documentation site into the index')
    .description('Brings a book or a documentation site into the index: Markdown, MDX and HTML pages.')
    .argument(
      '<source>',
      'a folder of pages, one page (.md, .mdx, .html), or the URL of a site with a sitemap',
    )
    .option('--base-url <url>', 'where the pages are published; needed for a folder or file', webAddress)
    .addOption(
      new Option(
        '--layout <name>',
        'the site generator, which decides addresses (default: detected)',
      ).choices(siteLayoutSchema.options),
    )
    .option('--translations', 'include translated pages (i18n folders)')
    .option('--dry-run', 'show pages, addresses and chunks, and write nothing; needs no running Quire')
    .option('--json', 'print one JSON object at the end instead of text and progress')
    .option('--verbose', 'name every page that is left out')
    .option('--allow-private', 'allow a site that is not on the public internet')
    .option('--max-pages <n>', 'read at most this many pages of a site', numberFrom(1, 1_000_000))
    .option('--concurrency <n>', 'requests to a site at once', numberFrom(1, 8))
    .addHelpText('after', EXAMPLES)
    .action(async (source: string, options: IngestOptions) => {
      try {
        onExitCode(await runIngest(source, options, { ...surroundings, terminal, signal }));
      } catch (error) {
        if (!signal.aborted) throw error;
        terminal.note(options.dryRun ? 'Stopped.\n' : STOPPED);
      }
    });
}

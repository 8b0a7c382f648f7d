import { untilAborted } from '@quire/shared/process';
import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { CommandFailure, exitCodes } from '../command-failure.js';
import { indexName } from '../connections.js';
import { webAddress } from '../option-values.js';
import { deleteBook } from './delete-book.js';
import { deleteIndex, owningIndex } from './delete-index.js';
import { listJson, listReport, listText } from './list-report.js';
import { indexStatus } from './index-status.js';
import { withQdrant } from './qdrant-access.js';
import { runRebuild } from './run-rebuild.js';
import { statusJson, statusText } from './status-report.js';
import { withIndexLease } from './with-index-lease.js';

const EXAMPLES = `
Examples:
  quire index status
  quire index delete --book https://example.org/docs
  quire index delete old-index --yes
  quire index rebuild                   after EMBEDDER or its model has changed
`;

interface DeleteOptions {
  book?: string;
  yes?: boolean;
}

export function indexCommand(context: CommandContext): Command {
  const { terminal, signal, onExitCode } = context;
  /** These commands need no clean-up when the user stops them. */
  const stoppable = async (work: Promise<unknown>) => {
    await untilAborted(signal, work).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      terminal.note('Stopped.\n');
    });
  };
  const print = (value: unknown) => terminal.write(`${JSON.stringify(value)}\n`);

  const status = async ({ json }: { json?: boolean }) => {
    const index = await indexName(context);
    const found = await withQdrant(context, (client) => indexStatus(client, index));
    if (json) print(statusJson(found));
    else terminal.write(statusText(found));
  };
  const list = async ({ json }: { json?: boolean }) => {
    const listed = await withQdrant(context, listReport);
    if (json) print(listJson(listed));
    else terminal.write(listText(listed));
  };
  const remove = async (name: string | undefined, { book, yes }: DeleteOptions) => {
    const configured = await indexName(context);
    const index = name ?? configured;
    if (name === undefined && book === undefined) {
      throw new CommandFailure(
        'Say what to delete: the name of an index, or --book <base-url>.',
        exitCodes.usage,
      );
    }
    const confirmation = { yes, terminal, signal };
    const owner = await withQdrant(context, (client) => owningIndex(client, index, configured));
    const deleted = await withIndexLease(context, owner, () =>
      withQdrant(context, (client) =>
        book === undefined
          ? deleteIndex(client, index, confirmation)
          : deleteBook(client, index, book, confirmation),
      ),
    );
    if (!deleted) onExitCode(exitCodes.failed);
  };

  return new Command('index')
    .summary('manage the index: status, list, delete, rebuild')
    .description(
      'Manages the index that questions are answered from (QDRANT_COLLECTION, "quire" by default).',
    )
    .addHelpText('after', EXAMPLES)
    .addCommand(
      new Command('status')
        .description('show the books, embedder and size of the index')
        .option('--json', 'print it as JSON')
        .action((options: { json?: boolean }) => stoppable(status(options))),
    )
    .addCommand(
      new Command('list')
        .description('show all indexes of this Qdrant, and collections of no index')
        .option('--json', 'print it as JSON')
        .action((options: { json?: boolean }) => stoppable(list(options))),
    )
    .addCommand(
      new Command('delete')
        .description('delete an index, a collection that no index needs, or one book')
        .argument('[name]', 'the index (or the collection); with --book the index that holds it')
        .option('--book <base-url>', 'delete only the chunks of this book', webAddress)
        .option('--yes', 'do not ask')
        .action((name: string | undefined, options: DeleteOptions) => stoppable(remove(name, options))),
    )
    .addCommand(
      new Command('rebuild')
        .description('embed all chunks again with the configured embedder; questions are answered meanwhile')
        .action(() => runRebuild(context)),
    );
}

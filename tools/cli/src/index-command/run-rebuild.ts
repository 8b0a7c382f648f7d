import { rebuildIndex } from '@quire/ingestion';
import { currentCollection } from '@quire/shared/qdrant';
import type { CommandContext } from '../command-context.js';
import { indexName, openRedis, redisAddress } from '../connections.js';
import { counted } from '../counted.js';
import { ingestionView } from '../ingest/ingestion-view.js';
import { Progress } from '../progress.js';
import { withQdrant } from './qdrant-access.js';

const STOPPED =
  'Stopped: the index is as before. Run it again to finish; chunks that were embedded are not embedded again.\n';

export async function runRebuild({ terminal, signal, ...surroundings }: CommandContext): Promise<void> {
  const index = await indexName(surroundings);
  // A worker that opens an index creates one if there is none.
  const current = await withQdrant(surroundings, (client) => currentCollection(client, index));
  if (current === undefined) {
    terminal.write('There is no index yet: there is nothing to rebuild.\n');
    return;
  }
  const redis = await openRedis(await redisAddress(surroundings));
  try {
    const progress = new Progress(terminal);
    const onEvent = ingestionView(progress);
    const rebuilt = rebuildIndex({ redis, index, signal, onEvent });
    const { embedder, replaced, chunks } = await rebuilt.finally(() => progress.clear());
    terminal.write(
      replaced === undefined
        ? `Nothing to do: the index was made by the configured embedder, ${embedder}.\n`
        : `The index was rebuilt by ${embedder}: ${counted(chunks, 'chunk')}.\n`,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.note(STOPPED);
  } finally {
    redis.disconnect();
  }
}

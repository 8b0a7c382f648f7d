import { carryOver } from './carry-over.js';
import { coordinate } from './coordinate.js';
import type { IngestionOptions } from './ingestion-event.js';

export interface RebuildReport {
  collection: string;
  embedder: string;
  /** Undefined when the configured embedder had made the index already. */
  replaced: string | undefined;
  chunks: number;
}

/** Embeds every chunk of an index with the configured embedder; the old index is searched until that is finished. */
export async function rebuildIndex(options: IngestionOptions): Promise<RebuildReport> {
  let chunks = 0;
  const progress = () => ({ type: 'carry' as const, carried: chunks });
  return coordinate(options, progress, async (coordination) => {
    const { ingestionId, tasks, signal } = coordination;
    const open = { task: 'open' as const, ingestion_id: ingestionId };
    const { collection, embedder, replaces } = await tasks.run(open, signal);
    if (replaces === undefined) return { collection, embedder, replaced: undefined, chunks };
    const onCarried = (carried: number) => void (chunks += carried);
    await carryOver(coordination, { from: replaces, collection, onCarried });
    await tasks.run({ task: 'close', ingestion_id: ingestionId, collection, replaces }, signal);
    return { collection, embedder, replaced: replaces, chunks };
  });
}

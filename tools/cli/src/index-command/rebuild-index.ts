import { carryOver } from '../ingest/carry-over.js';
import { coordinate, type CoordinationOptions } from '../ingest/coordination.js';
import { carriedText } from '../ingest/ingestion-view.js';

export type Rebuilding = Omit<CoordinationOptions, 'show'>;

export interface Rebuilt {
  collection: string;
  embedder: string;
  /** Undefined when the configured embedder had made the index already. */
  replaced: string | undefined;
  chunks: number;
}

/** Has every chunk of the index embedded by the configured embedder; the index so far answers until that is done. */
export async function rebuildIndex(rebuilding: Rebuilding): Promise<Rebuilt> {
  let chunks = 0;
  const show = () => rebuilding.progress.show(carriedText(chunks));
  return coordinate({ ...rebuilding, show }, async (coordination) => {
    const { ingestionId, tasks, signal } = coordination;
    const opening = { task: 'open' as const, ingestion_id: ingestionId };
    const { collection, embedder, replaces } = await tasks.run(opening, signal);
    if (replaces === undefined) return { collection, embedder, replaced: undefined, chunks };
    const onCarried = (carried: number) => void (chunks += carried);
    await carryOver(coordination, { from: replaces, collection, onCarried });
    await tasks.run({ task: 'close', ingestion_id: ingestionId, collection, replaces }, signal);
    return { collection, embedder, replaced: replaces, chunks };
  });
}

import type { Coordination } from './coordinate.js';

export interface CarryOver {
  from: string;
  collection: string;
  exceptBook?: string | undefined;
  onCarried: (chunks: number) => void;
}

/** Embeds the chunks of an index again and copies them into the collection that replaces it, batch by batch. */
export async function carryOver(
  { ingestionId, tasks, signal }: Coordination,
  { from, collection, exceptBook, onCarried }: CarryOver,
): Promise<void> {
  const task = {
    task: 'carry' as const,
    ingestion_id: ingestionId,
    from,
    collection,
    ...(exceptBook === undefined ? {} : { except_book: exceptBook }),
  };
  let cursor: string | undefined;
  do {
    const result = await tasks.run({ ...task, ...(cursor === undefined ? {} : { cursor }) }, signal);
    onCarried(result.carried);
    ({ cursor } = result);
  } while (cursor !== undefined);
}

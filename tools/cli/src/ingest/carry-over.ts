import type { Coordination } from './coordination.js';

export interface Carrying {
  from: string;
  collection: string;
  exceptBook?: string | undefined;
  onCarried: (chunks: number) => void;
}

/** Has the chunks of an index embedded anew for the one that replaces it, a batch at a time. */
export async function carryOver(
  { ingestionId, tasks, signal }: Coordination,
  { from, collection, exceptBook, onCarried }: Carrying,
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

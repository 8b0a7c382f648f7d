import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ARGUMENTS = ['ingest', 'books/physical-ai/docs', '--base-url', 'https://physical-ai.example/docs'];
const ANSWER_LIMIT_MS = 10_000;

export interface SampleBookOptions {
  dataDir: string;
  qdrant: { url: string; apiKey?: string | undefined };
  /** Whether the index is the embedded one, which only holds what was ingested from this data folder. */
  ownIndex: boolean;
  env: NodeJS.ProcessEnv;
  /** Runs `quire` with these arguments to its end. */
  quire: (args: readonly string[]) => Promise<void>;
  say: (text: string) => void;
}

/** Ingests the sample book into an empty index; repeats an ingestion that was interrupted. */
export async function ingestSampleBook(options: SampleBookOptions): Promise<void> {
  const collection = options.env.QDRANT_COLLECTION || 'quire';
  const finished = join(options.dataDir, `sample-book-in-${encodeURIComponent(collection)}`);
  const empty = (await countPoints(options, collection)) === 0;
  if (!empty && (existsSync(finished) || !options.ownIndex)) return;
  rmSync(finished, { force: true });
  options.say(
    empty
      ? 'The index is empty: ingesting the sample book …'
      : 'The sample book is incomplete: ingesting it again …',
  );
  await options.quire(ARGUMENTS);
  if (options.ownIndex) writeFileSync(finished, `${new Date().toISOString()}\n`);
}

async function countPoints({ qdrant }: SampleBookOptions, collection: string): Promise<number> {
  const path = `/collections/${encodeURIComponent(collection)}/points/count`;
  const response = await fetch(new URL(path, qdrant.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // A connection kept alive would hold up Qdrant's graceful stop.
      connection: 'close',
      ...(qdrant.apiKey ? { 'api-key': qdrant.apiKey } : {}),
    },
    body: JSON.stringify({ exact: true }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  if (response.status === 404) return 0;
  if (!response.ok)
    throw new Error(`Qdrant answered ${response.status} when asked for the size of ${collection}`);
  const body = (await response.json()) as { result: { count: number } };
  return body.result.count;
}

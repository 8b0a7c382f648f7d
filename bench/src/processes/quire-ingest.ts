import { spawnNode } from './child-process.js';
import type { PrivateStores } from './private-stores.js';

/** The fields of the command's JSON that benchmarks read, and its time. */
export interface IngestSummary {
  collection: string;
  pages: { ingested: number };
  chunks: { total: number; embedded: number };
  /** From the command's start to its exit. */
  wallSeconds: number;
}

/** Runs `quire ingest`; `onStart` gets the command's pid. */
export async function quireIngest(
  book: string,
  baseUrl: string,
  { env }: PrivateStores,
  onStart: (pid: number) => void = () => {},
): Promise<IngestSummary> {
  const startedAt = performance.now();
  const args = ['ingest', book, '--base-url', baseUrl, '--json'];
  const command = spawnNode('tools/cli/bin/quire.js', args, { env, keepOutput: true });
  onStart(command.pid);
  const { code, output, errors } = await command.ended;
  const wallSeconds = (performance.now() - startedAt) / 1000;
  if (code !== 0) throw new Error(`quire ingest ended with ${code}:\n${output}\n${errors}`);
  return { ...(JSON.parse(output) as Omit<IngestSummary, 'wallSeconds'>), wallSeconds };
}

import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker, type RunningWorker } from './running-worker.js';

let worker: RunningWorker;
/** Long enough to be chunks of their own. */
const textOf = (part: string) => `The ${part} of a robot has its own motor.\n`.repeat(12).trim();
const parts = ['head', 'arm', 'torso', 'wheel', 'tail'];

beforeAll(async () => {
  worker = await startWorker({ RETRIEVAL_NEIGHBOURS: 'true' });
  const sections = parts.map((part) => `## ${part}\n\n${textOf(part)}\n\n`);
  await worker.ingest({ path: 'robots/parts.md', markdown: `# Parts\n\n${sections.join('')}` });
});
afterAll(() => worker.stop());

it('a passage comes with the chunks before and after it', async () => {
  const { chunks } = await worker.search({ query: 'torso', mode: 'sparse', top_k: 1 });
  expect(chunks).toMatchObject([{ section: 'torso', before: textOf('arm'), after: textOf('wheel') }]);
});

it('a chunk between two passages comes once, with the better one', async () => {
  const { chunks } = await worker.search({ query: 'arm arm wheel', mode: 'sparse', top_k: 2 });
  expect(new Set(chunks.map(({ section }) => section))).toEqual(new Set(['arm', 'wheel']));
  const joined = chunks.flatMap(({ before, after }) => [before, after]).filter((text) => text !== undefined);
  expect(joined.toSorted()).toEqual(['head', 'tail', 'torso'].map(textOf));
  expect([chunks[0]?.before, chunks[0]?.after]).toContain(textOf('torso'));
});

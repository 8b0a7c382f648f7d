import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker, type RunningWorker } from './running-worker.js';

let worker: RunningWorker;
/** Long enough to be chunks of their own. */
const section = (name: string, words: string) => `## ${name}\n\n${`${words} `.repeat(15).trim()}\n\n`;
const support = section('Support', 'Write to the support team about the refund of an order.');

beforeAll(async () => {
  worker = await startWorker();
  const pages = Array.from({ length: 40 }, (_, i) => ({
    path: `products/p${i}.md`,
    markdown: `# Product ${i}\n\n${support}`,
  }));
  const policy = {
    path: 'policy.md',
    markdown: `# Policy\n\n${section('Periods', 'A refund of an order takes thirty days.')}${section('Costs', 'The refund of an order costs nothing.')}`,
  };
  await Promise.all([...pages, policy].map((page) => worker.ingest(page)));
});
afterAll(() => worker.stop());

it.each(['hybrid', 'dense', 'sparse'] as const)(
  'copies of a section on forty pages do not displace other passages (%s)',
  async (mode) => {
    const { chunks } = await worker.search({
      query: 'Write to the support team about the refund of an order',
      mode,
      top_k: 5,
      similarity_threshold: 0,
    });
    expect(chunks.map(({ section: name }) => name).sort()).toEqual(['Costs', 'Periods', 'Support']);
  },
);

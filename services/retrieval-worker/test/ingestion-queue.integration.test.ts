import { randomUUID } from 'node:crypto';
import { failWith } from '@quire/scripted-providers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { baseUrl, startWorker, type RunningWorker } from './running-worker.js';

let worker: RunningWorker;

beforeEach(async () => {
  worker = await startWorker();
});
afterEach(() => worker.stop());

const textsFound = async (query: string) =>
  (await worker.search({ query, top_k: 10, similarity_threshold: 0 })).chunks.map(({ text }) => text).sort();
/** Long enough to be a chunk of its own. */
const section = (name: string, words: string) => `## ${name}\n\n${`${words} `.repeat(25).trim()}\n\n`;
const textOf = (words: string) => `${words} `.repeat(25).trim();

it('an ingested page is found under its section', async () => {
  const markdown = `---\ntitle: QoS\n---\n# QoS\n\nIntro to the policies of messages.\n\n${section('Durability', 'Transient local keeps the last messages.')}`;
  expect(await worker.ingest({ path: 'ros2/qos.md', markdown })).toEqual({
    task: 'page',
    path: 'ros2/qos.md',
    chunks: 2,
    embedded: 2,
  });
  const { chunks } = await worker.search({ query: 'which durability keeps the last messages' });
  const [best] = chunks;
  expect(best).toMatchObject({
    chapter: 'QoS',
    section: 'Durability',
    module: 'ros2',
    url: `${baseUrl}/ros2/qos#durability`,
  });
  expect(markdown.slice(best?.char_start, best?.char_end)).toBe(best?.text);
});

it('a page that is ingested again is embedded where it has changed, and its removed parts are deleted', async () => {
  const path = 'ros2/qos.md';
  const [a, b, c] = [
    'Robots need reliable messages.',
    'Robots like old stories.',
    'Robots tell new stories.',
  ];
  await worker.ingest({ path: 'ros2/other.md', markdown: '# Other\n\nRobots elsewhere are robots.' });
  await worker.ingest({ path, markdown: `# QoS\n\n${section('A', a)}${section('B', b)}` });
  expect(
    await worker.ingest({ path, markdown: `# QoS\n\n${section('A', a)}${section('C', c)}` }),
  ).toMatchObject({
    chunks: 2,
    embedded: 1,
  });
  expect(await textsFound('robots')).toEqual(['Robots elsewhere are robots.', textOf(a), textOf(c)].sort());
});

it('a page that has not changed is neither embedded nor written', async () => {
  const page = { path: 'a.md', markdown: '# A\n\nRobots are made of parts.' };
  await worker.ingest(page);
  const calls = worker.providers.embeddings.requests.length;
  expect(await worker.ingest(page)).toMatchObject({ chunks: 1, embedded: 0 });
  expect(worker.providers.embeddings.requests).toHaveLength(calls);
});

it('a page that was moved, or repeats another, reuses the vectors', async () => {
  await worker.ingest({ path: 'a.md', markdown: '# A\n\nRobots are made of parts.' });
  expect(
    await worker.ingest({ path: 'b/renamed.md', markdown: '# A\n\nRobots are made of parts.' }),
  ).toMatchObject({ chunks: 1, embedded: 0 });
});

it('a page whose heading has changed is embedded again', async () => {
  await worker.ingest({ path: 'a.md', markdown: '# Arm\n\nRobots are made of parts.' });
  expect(await worker.ingest({ path: 'a.md', markdown: '# Leg\n\nRobots are made of parts.' })).toMatchObject(
    { chunks: 1, embedded: 1 },
  );
});

it('a page with a new address leaves no chunks under the old one', async () => {
  await worker.ingest({ path: 'a.md', markdown: '---\nslug: /old\n---\nRobots are made of parts.' });
  await worker.ingest({ path: 'a.md', markdown: '---\nslug: /new\n---\nRobots are made of parts.' });
  const { chunks } = await worker.search({ query: 'robots', similarity_threshold: 0 });
  expect(chunks.map(({ url }) => url)).toEqual([`${baseUrl}/new`]);
});

it.each([
  ['stub', '# A\n'],
  ['draft', '---\ndraft: true\n---\n# A\n\nRobots are made of many parts.'],
])('a page that has become a %s leaves no chunks', async (skipped, markdown) => {
  await worker.ingest({ path: 'a.md', markdown: '# A\n\nRobots are made of parts.' });
  expect(await worker.ingest({ path: 'a.md', markdown })).toMatchObject({
    chunks: 0,
    embedded: 0,
    skipped,
  });
  expect(await textsFound('robots')).toEqual([]);
});

it('a page that cannot be parsed fails with the reason and keeps its chunks, and other pages are ingested', async () => {
  const path = 'bad.md';
  await worker.ingest({ path, markdown: '# A\n\nRobots are made of parts.' });
  await expect(worker.ingest({ path, markdown: '---\ntitle: "open\n---\n' })).rejects.toThrow(
    /INVALID_REQUEST: The front matter is not valid YAML/,
  );
  expect(await textsFound('robots')).toEqual(['Robots are made of parts.']);
  expect(await worker.ingest({ path: 'good.md', markdown: 'Robots need good batteries.' })).toMatchObject({
    chunks: 1,
  });
});

it('a page is embedded with its heading path, and retried while the provider is away', async () => {
  await worker.ingest({ path: 'other.md', markdown: 'Robots have arms.' });
  worker.providers.reset();
  worker.providers.embeddings.enqueue(failWith(503));
  await worker.ingest({ path: 'a.md', markdown: '# Arm\n\n## Grip\n\nFingers close around things.' });
  expect(worker.providers.embeddings.requests.map(({ body }) => body.texts)).toEqual([
    ['Arm > Grip\n\nFingers close around things.'],
    ['Arm > Grip\n\nFingers close around things.'],
  ]);
});

it('an ingestion whose provider refuses the key fails before its first page', async () => {
  worker.providers.embeddings.byDefault(failWith(401));
  await expect(worker.perform({ task: 'open', ingestion_id: randomUUID() })).rejects.toThrow(
    /^INVALID_REQUEST: .*HTTP 401.*check the key/,
  );
});

it('a page of several hundred chunks is stored completely', async () => {
  const markdown = Array.from({ length: 300 }, (_, i) => section(`S${i}`, `Part number ${i} of it.`)).join(
    '',
  );
  expect(await worker.ingest({ path: 'long.md', markdown })).toMatchObject({ chunks: 300, embedded: 300 });
});

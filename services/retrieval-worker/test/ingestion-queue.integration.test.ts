import { randomUUID } from 'node:crypto';
import { failWith } from '@quire/scripted-providers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

describe('a page over the queue', () => {
  test('is found under its section afterwards', async () => {
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

  test('is embedded only where it has changed when it comes again, and loses what is gone', async () => {
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

  test('that has not changed costs no embedding and no writing', async () => {
    const page = { path: 'a.md', markdown: '# A\n\nRobots are made of parts.' };
    await worker.ingest(page);
    const calls = worker.providers.embeddings.requests.length;
    expect(await worker.ingest(page)).toMatchObject({ chunks: 1, embedded: 0 });
    expect(worker.providers.embeddings.requests).toHaveLength(calls);
  });

  test('that moved, or repeats another, reuses the vectors', async () => {
    await worker.ingest({ path: 'a.md', markdown: '# A\n\nRobots are made of parts.' });
    expect(
      await worker.ingest({ path: 'b/renamed.md', markdown: '# A\n\nRobots are made of parts.' }),
    ).toMatchObject({ chunks: 1, embedded: 0 });
  });

  test('whose heading changed is embedded again, since the heading is part of what is embedded', async () => {
    await worker.ingest({ path: 'a.md', markdown: '# Arm\n\nRobots are made of parts.' });
    expect(
      await worker.ingest({ path: 'a.md', markdown: '# Leg\n\nRobots are made of parts.' }),
    ).toMatchObject({ chunks: 1, embedded: 1 });
  });

  test('that got another address leaves nothing at the old one', async () => {
    await worker.ingest({ path: 'a.md', markdown: '---\nslug: /old\n---\nRobots are made of parts.' });
    await worker.ingest({ path: 'a.md', markdown: '---\nslug: /new\n---\nRobots are made of parts.' });
    const { chunks } = await worker.search({ query: 'robots', similarity_threshold: 0 });
    expect(chunks.map(({ url }) => url)).toEqual([`${baseUrl}/new`]);
  });

  test.each([
    ['stub', '# A\n'],
    ['draft', '---\ndraft: true\n---\n# A\n\nRobots are made of many parts.'],
  ])('leaves nothing behind when it has become a %s', async (skipped, markdown) => {
    await worker.ingest({ path: 'a.md', markdown: '# A\n\nRobots are made of parts.' });
    expect(await worker.ingest({ path: 'a.md', markdown })).toMatchObject({
      chunks: 0,
      embedded: 0,
      skipped,
    });
    expect(await textsFound('robots')).toEqual([]);
  });

  test('that cannot be parsed fails with the reason, keeps what was there, and the rest goes on', async () => {
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

  test('is embedded with its heading path in front and tried again when the provider is away', async () => {
    await worker.ingest({ path: 'other.md', markdown: 'Robots have arms.' });
    worker.providers.reset();
    worker.providers.embeddings.enqueue(failWith(503));
    await worker.ingest({ path: 'a.md', markdown: '# Arm\n\n## Grip\n\nFingers close around things.' });
    expect(worker.providers.embeddings.requests.map(({ body }) => body.texts)).toEqual([
      ['Arm > Grip\n\nFingers close around things.'],
      ['Arm > Grip\n\nFingers close around things.'],
    ]);
  });

  test('is not even sent for when the provider refuses the key: the ingestion ends where it begins', async () => {
    worker.providers.embeddings.byDefault(failWith(401));
    await expect(worker.perform({ task: 'open', ingestion_id: randomUUID() })).rejects.toThrow(
      /^INVALID_REQUEST: .*HTTP 401.*check the key/,
    );
  });

  test('of several hundred chunks is stored whole', async () => {
    const markdown = Array.from({ length: 300 }, (_, i) => section(`S${i}`, `Part number ${i} of it.`)).join(
      '',
    );
    expect(await worker.ingest({ path: 'long.md', markdown })).toMatchObject({ chunks: 300, embedded: 300 });
  });
});

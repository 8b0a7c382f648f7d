import { failWith } from '@quire/scripted-providers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { baseUrl, startWorker, type RunningWorker } from './running-worker.js';

let worker: RunningWorker;

beforeEach(async () => {
  worker = await startWorker();
});
afterEach(() => worker.stop());

const textsFound = async (query: string) =>
  (await worker.search({ query, top_k: 10 })).chunks.map(({ text }) => text);

describe('a page over the queue', () => {
  test('is found under its section afterwards', async () => {
    const markdown =
      '---\ntitle: QoS\n---\n# QoS\n\nIntro.\n\n## Durability\n\nTransient local keeps the last messages.\n';
    expect(await worker.ingest({ path: 'ros2/qos.md', markdown })).toEqual({
      path: 'ros2/qos.md',
      chunks: 2,
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

  test('replaces what the index held of it when it comes again', async () => {
    const path = 'ros2/qos.md';
    await worker.ingest({
      path,
      markdown: '# QoS\n\n## A\n\nRobots need reliable messages.\n\n## B\n\nRobots like old stories.',
    });
    await worker.ingest({ path: 'ros2/other.md', markdown: '# Other\n\nRobots elsewhere.' });
    await worker.ingest({
      path,
      markdown: '# QoS\n\n## A\n\nRobots need reliable messages.\n\n## C\n\nRobots tell new stories.',
    });
    expect((await textsFound('robots')).sort()).toEqual([
      'Robots elsewhere.',
      'Robots need reliable messages.',
      'Robots tell new stories.',
    ]);
  });

  test('leaves nothing behind when it has become empty', async () => {
    await worker.ingest({ path: 'a.md', markdown: '# A\n\nRobots.' });
    expect(await worker.ingest({ path: 'a.md', markdown: '# A\n' })).toEqual({ path: 'a.md', chunks: 0 });
    expect(await textsFound('robots')).toEqual([]);
  });

  test('that cannot be parsed fails with the reason, and the rest goes on', async () => {
    await expect(worker.ingest({ path: 'bad.md', markdown: '---\ntitle: "open\n---\n' })).rejects.toThrow(
      /INVALID_REQUEST: The front matter is not valid YAML/,
    );
    expect(await worker.ingest({ path: 'good.md', markdown: 'Robots.' })).toEqual({
      path: 'good.md',
      chunks: 1,
    });
  });

  test('is embedded with its heading path in front and tried again when the provider is away', async () => {
    worker.providers.embeddings.enqueue(failWith(503));
    await worker.ingest({ path: 'a.md', markdown: '# Arm\n\n## Grip\n\nFingers close.' });
    expect(worker.providers.embeddings.requests.map(({ body }) => body.texts)).toEqual([
      ['Arm > Grip\n\nFingers close.'],
      ['Arm > Grip\n\nFingers close.'],
    ]);
  });
});

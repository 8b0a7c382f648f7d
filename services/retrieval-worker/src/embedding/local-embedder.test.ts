import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setEnvironmentData } from 'node:worker_threads';
import { classifyError } from '@quire/shared/errors';
import { eventually } from '@quire/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { describeEmbedder } from '../../test/embedder-contract.js';
import type { Embedder } from './embedder.js';
import { openLocalEmbedder, type LocalEmbedderOptions } from './local-embedder.js';

const threadFile = (name: string) =>
  fileURLToPath(new URL(`../../test/threads/${name}-thread.mjs`, import.meta.url));
const unaborted = () => new AbortController().signal;

describeEmbedder('local', () => {
  const embedder = openLocalEmbedder();
  const broken = openLocalEmbedder({ threadFile: threadFile('exiting') });
  const close = async () => {
    await Promise.all([embedder.close(), broken.close()]);
  };
  return Promise.resolve({ embedder, broken, close });
});

/** Scripted threads of this test that have reported. */
function countThreads(): Int32Array {
  const present = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  setEnvironmentData('present', present);
  return new Int32Array(present);
}

function openScripted(threads: number, options: LocalEmbedderOptions = {}) {
  const embedder = openLocalEmbedder({ threads, threadFile: threadFile('scripted'), ...options });
  onTestFinished(() => embedder.close());
  return embedder;
}

it('a question gets a thread while documents occupy all of theirs', async () => {
  const embedder = openScripted(1);
  const controller = new AbortController();
  const pages = embedder.embed(
    ['stall', ...Array.from({ length: 20 }, () => 'page')],
    'document',
    controller.signal,
  );
  expect(await embedder.embed(['question'], 'query', unaborted())).toHaveLength(1);
  controller.abort(new Error('the test is over'));
  await expect(pages).rejects.toThrow('the test is over');
});

it.each([
  ['one page', [8]],
  ['several pages', [4, 4]],
])('documents of %s are spread over all threads', async (_, pages) => {
  countThreads();
  const embedder = openScripted(2);
  const embedded = pages.map((chunks) =>
    embedder.embed(
      Array.from({ length: chunks }, () => 'meet'),
      'document',
      unaborted(),
    ),
  );
  expect((await Promise.all(embedded)).map((vectors) => vectors.length)).toEqual(pages);
});

it('the calls for documents may be as many as the cores', () => {
  const embedder = openLocalEmbedder({ threadFile: threadFile('scripted') });
  onTestFinished(() => embedder.close());
  expect(embedder.callLimits).toEqual({
    texts: 4,
    atOnce: { query: availableParallelism(), document: availableParallelism() },
  });
});

it('close() rejects work under way with a retryable error', async () => {
  const embedder = openScripted(1);
  const pending = embedder.embed(['stall'], 'document', unaborted()).catch((error: unknown) => error);
  await embedder.close();
  expect(classifyError(await pending)).toMatchObject({ code: 'RETRIEVAL_UNAVAILABLE', retryable: true });
});

const open = () => openScripted(1, { timeLimitMs: { query: 500, document: 60_000 } });
/** A new thread starts slowly on a busy machine. */
const embedsAgain = (embedder: Embedder) =>
  eventually(() => embedder.embed(['question'], 'query', unaborted()));

it.each(['stall', 'wedge'])(
  'a thread that exceeds the time limit is replaced, and the next question is embedded (%s)',
  async (text) => {
    countThreads();
    const embedder = open();
    const failure = await embedder.embed([text], 'query', unaborted()).catch((error: unknown) => error);
    expect(classifyError(failure)).toMatchObject({ code: 'RETRIEVAL_UNAVAILABLE', retryable: true });
    expect(await embedsAgain(embedder)).toHaveLength(1);
  },
);

it('a thread that is still loading its model is not replaced', async () => {
  expect(await open().embed(['load'], 'query', unaborted())).toHaveLength(1);
});

it('a thread that exceeds the time limit is replaced even after its question was aborted', async () => {
  const present = countThreads();
  const embedder = open();
  const leaving = new AbortController();
  const left = embedder.embed(['wedge'], 'query', leaving.signal).catch((error: unknown) => error);
  await expect.poll(() => Atomics.load(present, 0)).toBeGreaterThan(0);
  leaving.abort(new Error('aborted by the caller'));
  await left;
  expect(await embedsAgain(embedder)).toHaveLength(1);
});

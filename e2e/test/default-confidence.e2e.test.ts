import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startScriptedProviders, vectors, type ScriptedProviders } from '@quire/scripted-providers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

interface Report {
  confidence: Record<'in_scope' | 'out_of_scope', { questions: number; should_answer: number }>;
}

let providers: ScriptedProviders;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-eval-'));
  providers = await startScriptedProviders();
  providers.embeddings.byDefault(vectors({ scale: 'text-embedding-3' }));
});
afterAll(async () => {
  await providers.close();
  await rm(folder, { recursive: true });
});

const openai = (model: string, dimensions: number) => ({
  EMBEDDER: 'openai',
  EMBEDDING_API_KEY: 'key',
  EMBEDDING_BASE_URL: providers.openaiBaseUrl,
  EMBEDDING_MODEL: model,
  EMBEDDING_DIMENSIONS: String(dimensions),
});
const cohere = () => ({
  EMBEDDER: 'cohere',
  COHERE_API_KEY: 'key',
  COHERE_BASE_URL: providers.cohereBaseUrl,
});

// The figures are the same in every run: answered 0.85, 0.90, 0.93; refused 0.78, 0.72, 0.82.
it.each<[string, () => Record<string, string>]>([
  ['text-embedding-3-small', () => openai('text-embedding-3-small', 1536)],
  ['embed-english-v3.0', cohere],
  ['gemini-embedding-001', () => openai('gemini-embedding-001', 768)],
])(
  'with the default preset of %s most questions about the sample book are answered and most others refused',
  async (model, env) => {
    const quire: QuireProcesses = await startQuire(env(), { gateway: 0, 'agent-worker': 0 });
    try {
      const book = ['books/physical-ai/docs', '--base-url', 'https://physical-ai.example/docs'];
      expect(await quire.quire('ingest', ...book)).toMatchObject({ code: 0 });
      const file = join(folder, `${model}.json`);
      const evaluated = await quire.quire('eval', 'books/physical-ai/golden.jsonl', '--out', file);
      expect(evaluated).toMatchObject({ code: 0 });
      const { confidence } = JSON.parse(await readFile(file, 'utf8')) as Report;
      expect(confidence.in_scope.questions).toBeGreaterThan(100);
      expect(confidence.in_scope.should_answer).toBeGreaterThan(0.8);
      expect(confidence.out_of_scope.should_answer).toBeLessThan(0.35);
    } finally {
      await quire.close();
    }
  },
);

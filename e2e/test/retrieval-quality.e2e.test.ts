import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startQuire, type QuireProcesses } from './quire-processes.js';

type Mode = 'hybrid' | 'dense' | 'sparse';
const figures = ['mrr', 'ndcg@10', 'recall@10'] as const;
interface Report {
  modes: Record<Mode, { all: { figures: Record<(typeof figures)[number], number> } }>;
}

let quire: QuireProcesses;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-eval-'));
  quire = await startQuire({ EMBEDDER: 'local' });
  const ingested = await quire.quire(
    'ingest',
    'books/physical-ai/docs',
    '--base-url',
    'https://physical-ai.example/docs',
  );
  expect(ingested).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await quire.close();
  await rm(folder, { recursive: true });
});

describe('the sample book with the keyless embedder', () => {
  it('hybrid search finds more in the sample book than vectors or words alone, and most foreign questions are refused', async () => {
    const file = join(folder, 'report.json');
    const { code, output } = await quire.quire(
      'eval',
      'books/physical-ai/golden.jsonl',
      '--out',
      file,
      '--fail-under',
      'confidence.in_scope.should_answer=0.9',
      '--fail-under',
      'confidence.out_of_scope.insufficient_or_low=0.9',
    );
    expect({ code, output }).toMatchObject({ code: 0 });
    const { modes } = JSON.parse(await readFile(file, 'utf8')) as Report;
    for (const figure of figures) {
      const of = (mode: Mode) => modes[mode].all.figures[figure];
      expect(of('hybrid')).toBeGreaterThan(of('dense'));
      expect(of('hybrid')).toBeGreaterThan(of('sparse'));
    }
  });
});

import { Piscina } from 'piscina';
import { withinTimeLimit } from '../providers/time-limit.js';

/** What a thread is given; it posts the number back once its model is loaded and the texts have their turn. */
export interface EmbeddingTask {
  number: number;
  texts: string[];
}

export interface EmbeddingThreads {
  /** Rejects when the thread fails, and when it takes too long: it is ended then, and another takes its place. */
  embed(texts: string[], limitMs: number): Promise<number[][]>;
  close(): Promise<void>;
}

const { signal: neverAborted } = new AbortController();

export function openEmbeddingThreads(options: ConstructorParameters<typeof Piscina>[0]): EmbeddingThreads {
  const pool = new Piscina<EmbeddingTask, number[][]>(options);
  const onBegin = new Map<number, () => void>();
  let tasks = 0;
  pool.on('message', (number: number) => onBegin.get(number)?.());

  return {
    async embed(texts, limitMs) {
      const number = (tasks += 1);
      const end = new AbortController();
      const begun = new Promise<void>((resolve) => onBegin.set(number, resolve));
      try {
        const vectors = pool.run({ number, texts }, { signal: end.signal });
        // Loading takes seconds on a busy machine, and the pool gives tasks to threads that still load.
        await Promise.race([begun, vectors]);
        return await withinTimeLimit(limitMs, neverAborted, (limited) => {
          limited.addEventListener('abort', () => end.abort());
          return vectors;
        });
      } finally {
        onBegin.delete(number);
      }
    },
    close: () => pool.destroy(),
  };
}

import { Piscina } from 'piscina';
import { withinTimeLimit } from '../time-limit.js';

/** The input of a thread, which posts `number` back when its model is loaded and embedding begins. */
export interface EmbeddingTask {
  number: number;
  texts: string[];
}

export interface EmbeddingThreads {
  /** Rejects when the thread fails or exceeds the limit; a thread that does is replaced. */
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
        // The limit does not include loading, which takes seconds on a busy machine.
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

/** The values that the global set-up provides to every test worker. */
export interface ProvidedStores {
  redisUrl: string;
  postgresUrl: string;
  qdrantUrl: string;
  /** Programs fetched once for all stores of a run, the private ones included. */
  binDir: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    quireStores: ProvidedStores;
  }
}

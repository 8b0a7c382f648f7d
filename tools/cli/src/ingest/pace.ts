/** The progress of an ingestion at a time. */
export interface PaceSample {
  atMs: number;
  pages: number;
  chunks: number;
}

export interface Pace {
  chunksPerSecond: number;
  /** Undefined when no page was finished within the window. */
  secondsLeft: number | undefined;
}

const WINDOW_MS = 30_000;
const SAMPLE_EVERY_MS = 500;
/** A pace over less time is random. */
const SHORTEST_MS = 1500;

/** The samples of the window with this one, unless the last one is too recent. */
export function withSample(samples: readonly PaceSample[], sample: PaceSample): readonly PaceSample[] {
  const last = samples.at(-1);
  if (last && sample.atMs - last.atMs < SAMPLE_EVERY_MS) return samples;
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** The pace within the window; undefined when its samples cover too little time. */
export function paceOf(samples: readonly PaceSample[], totalPages: number): Pace | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs - first.atMs < SHORTEST_MS) return undefined;
  const seconds = (last.atMs - first.atMs) / 1000;
  const pagesPerSecond = (last.pages - first.pages) / seconds;
  return {
    chunksPerSecond: (last.chunks - first.chunks) / seconds,
    secondsLeft: pagesPerSecond > 0 ? (totalPages - last.pages) / pagesPerSecond : undefined,
  };
}

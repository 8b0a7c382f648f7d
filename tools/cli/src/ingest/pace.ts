/** How far an ingestion was at a time. */
export interface PaceSample {
  atMs: number;
  pages: number;
  chunks: number;
}

export interface Pace {
  chunksPerSecond: number;
  /** Undefined while no page has been finished lately. */
  secondsLeft: number | undefined;
}

const WINDOW_MS = 30_000;
const SAMPLE_EVERY_MS = 500;
/** Before that, a pace says more about luck than about the work. */
const MEANINGFUL_MS = 1500;

/** The recent past with one more sample, if the last one is some time ago. */
export function withSample(samples: readonly PaceSample[], sample: PaceSample): readonly PaceSample[] {
  const last = samples.at(-1);
  if (last && sample.atMs - last.atMs < SAMPLE_EVERY_MS) return samples;
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample];
}

/** The pace of the recent past; undefined when there is too little of it. */
export function paceOf(samples: readonly PaceSample[], totalPages: number): Pace | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs - first.atMs < MEANINGFUL_MS) return undefined;
  const seconds = (last.atMs - first.atMs) / 1000;
  const pagesPerSecond = (last.pages - first.pages) / seconds;
  return {
    chunksPerSecond: (last.chunks - first.chunks) / seconds,
    secondsLeft: pagesPerSecond > 0 ? (totalPages - last.pages) / pagesPerSecond : undefined,
  };
}

import { counted } from '../counted.js';
import type { IngestionTally } from './ingestion-tally.js';
import { paceOf, withSample, type PaceSample } from './pace.js';
import { plainProgress, progressBar } from './progress-line.js';
import type { Progress, ProgressText } from './progress.js';

/** Shows a tally while it fills. */
export class IngestionView {
  private samples: readonly PaceSample[] = [];

  constructor(
    private readonly tally: IngestionTally,
    private readonly progress: Progress,
  ) {}

  show(): void {
    const { found, settled, chunks, failed, stage, carried } = this.tally;
    this.samples = withSample(this.samples, { atMs: Date.now(), pages: settled, chunks });
    const pages = { found, settled, chunks, failed: failed.length };
    this.progress.show(
      stage === 'carrying'
        ? carriedText(carried)
        : {
            live: (columns) => progressBar(pages, paceOf(this.samples, found), columns),
            plain: () => plainProgress(pages),
          },
    );
  }
}

export function carriedText(carried: number): ProgressText {
  const text = `${counted(carried, 'chunk')} carried over into the new index`;
  return { live: (columns) => text.slice(0, columns - 1), plain: () => text };
}

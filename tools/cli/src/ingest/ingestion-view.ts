import type { IngestionEvent } from '@quire/ingestion';
import { counted } from '../counted.js';
import { paceOf, withSample, type PaceSample } from './pace.js';
import { plainProgress, progressBar } from './progress-line.js';
import type { Progress } from '../progress.js';

export const NOTES = {
  lease_taken:
    'Another ingestion into this index is under way; waiting for it to end (Ctrl-C stops waiting).',
  replacing:
    'The index was made by another embedder: building a new one; questions are answered from the old one until it ' +
    'is finished.',
  no_worker:
    'No retrieval worker is running; waiting for one (start it with `npm start` or `docker compose up`).',
  redis_lost: 'Redis is away; waiting for it.',
  redis_restored: 'Redis is back.',
};

/** Returns a listener that prints the events of an ingestion. */
export function ingestionView(progress: Progress): (event: IngestionEvent) => void {
  let samples: readonly PaceSample[] = [];
  return (event) => {
    if (event.type === 'pages') {
      const { found, finished, chunks } = event;
      samples = withSample(samples, { atMs: Date.now(), pages: finished, chunks });
      progress.show({
        live: (columns) => progressBar(event, paceOf(samples, found), columns),
        plain: () => plainProgress(event),
      });
    } else if (event.type === 'carry') {
      const text = `${counted(event.carried, 'chunk')} carried over into the new index`;
      progress.show({ live: (columns) => text.slice(0, columns - 1), plain: () => text });
    } else {
      progress.note(NOTES[event.type]);
    }
  };
}

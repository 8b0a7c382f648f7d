import { counted, grouped } from '../counted.js';
import type { Pace } from './pace.js';

export interface PageProgress {
  found: number;
  finished: number;
  chunks: number;
  failed: number;
}

const BAR_MIN = 10;
const BAR_MAX = 30;
const GAP = '  ';

/** `[█████─────] 45/120 pages  1,204 chunks  33.1 chunks/s  2 min left`, as much of it as fits. */
export function progressBar(progress: PageProgress, pace: Pace | undefined, columns: number): string {
  const parts = [
    `${grouped(progress.finished)}/${counted(progress.found, 'page')}`,
    counted(progress.chunks, 'chunk'),
    ...(progress.failed > 0 ? [`${grouped(progress.failed)} failed`] : []),
    ...(pace ? [`${pace.chunksPerSecond.toFixed(1)} chunks/s`] : []),
    ...(pace?.secondsLeft && progress.finished < progress.found
      ? [`${duration(pace.secondsLeft)} left`]
      : []),
  ];
  // Some terminals wrap a line of their full width.
  const room = columns - 1;
  const barFor = (text: string) => room - text.length - '[] '.length;
  while (parts.length > 1 && barFor(parts.join(GAP)) < BAR_MIN) parts.pop();
  const text = parts.join(GAP);
  const width = Math.min(BAR_MAX, barFor(text));
  return width < BAR_MIN ? text.slice(0, Math.max(0, room)) : `${bar(progress, width)} ${text}`;
}

/** The same as text, for a log. */
export function plainProgress({ found, finished, chunks, failed }: PageProgress): string {
  const failures = failed === 0 ? '' : `, ${grouped(failed)} failed`;
  return `${grouped(finished)}/${counted(found, 'page')}, ${counted(chunks, 'chunk')}${failures}`;
}

/** `45 s`, `2 min`, `1 h 5 min` */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function bar({ finished, found }: PageProgress, width: number): string {
  const filled = found === 0 ? width : Math.floor((finished / found) * width);
  return `[${'█'.repeat(filled)}${'─'.repeat(width - filled)}]`;
}

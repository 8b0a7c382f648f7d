import { expect, it } from 'vitest';
import { duration, plainProgress, progressBar } from './progress-line.js';

const progress = { found: 120, finished: 45, chunks: 1204, failed: 0 };
const pace = { chunksPerSecond: 33.12, secondsLeft: 118 };

it('the progress bar shows pages, chunks, pace and the time left', () => {
  expect(progressBar(progress, pace, 200)).toBe(
    '[███████████───────────────────] 45/120 pages  1,204 chunks  33.1 chunks/s  2 min left',
  );
});

it('the progress bar counts failed pages', () => {
  expect(progressBar({ ...progress, failed: 2 }, undefined, 200)).toMatch(
    / 45\/120 pages {2}1,204 chunks {2}2 failed$/,
  );
});

it.each([
  [80, '[██████──────────] 45/120 pages  1,204 chunks  33.1 chunks/s  2 min left'],
  [60, '[█████─────────] 45/120 pages  1,204 chunks  33.1 chunks/s'],
  [30, '[████████──────] 45/120 pages'],
  [24, '45/120 pages'],
  [8, '45/120 '],
])('the progress bar is shorter than a line of %i columns', (columns, line) => {
  const drawn = progressBar(progress, pace, columns);
  expect(drawn.length).toBeLessThan(columns);
  expect(drawn.replace(/^\[.*\]/, '')).toBe(line.replace(/^\[.*\]/, ''));
});

it('the progress bar is full when all pages are finished, and not before', () => {
  expect(progressBar({ ...progress, finished: 119 }, undefined, 80)).toContain('─]');
  expect(progressBar({ ...progress, finished: 120 }, pace, 80)).not.toMatch(/─|left/);
});

it('progress in a log is plain text', () => {
  expect(plainProgress(progress)).toBe('45/120 pages, 1,204 chunks');
  expect(plainProgress({ found: 1, finished: 1, chunks: 1, failed: 1 })).toBe('1/1 page, 1 chunk, 1 failed');
});

it.each([
  [0.2, '1 s'],
  [45, '45 s'],
  [118, '2 min'],
  [3900, '1 h 5 min'],
])('a duration of %d seconds is shown as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

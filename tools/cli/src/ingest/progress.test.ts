import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordingTerminal } from '../../test/recording-terminal.js';
import { Progress } from './progress.js';

const state = (done: number) => ({ total: 9, done, chunks: 0, failed: [] });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('on a terminal one line is drawn over, and a note stands above it', () => {
  const terminal = recordingTerminal(true);
  const progress = new Progress(terminal);
  progress.show(state(1));
  progress.show(state(1));
  progress.note('Redis is away.');
  progress.show(state(2));
  progress.clear();
  const erase = '\r\u001B[2K';
  expect(terminal.output).toBe(
    `${erase}1/9 pages, 0 chunks${erase}Redis is away.\n${erase}2/9 pages, 0 chunks${erase}`,
  );
});

test('elsewhere a line comes every few seconds, if anything has changed', () => {
  const terminal = recordingTerminal(false);
  const progress = new Progress(terminal);
  for (const done of [1, 2, 3, 3]) {
    progress.show(state(done));
    vi.advanceTimersByTime(2000);
  }
  expect(terminal.output).toBe('3/9 pages, 0 chunks\n');
});

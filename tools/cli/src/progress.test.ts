import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recordingTerminal } from '../test/recording-terminal.js';
import { Progress } from './progress.js';

const erase = '\r\u001B[2K';
const state = (done: number) => ({
  live: (columns: number) => `${done} of 9 in ${columns}`,
  plain: () => `${done} of 9`,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('progress on a terminal is one line that is drawn over, and notes are printed above it', () => {
  const terminal = recordingTerminal(true);
  const progress = new Progress(terminal);
  progress.show(state(1));
  progress.show(state(1));
  progress.note('Redis is away.');
  progress.show(state(2));
  progress.clear();
  expect(terminal.output).toBe(`${erase}1 of 9 in 80${erase}Redis is away.\n${erase}2 of 9 in 80${erase}`);
});

it('progress elsewhere is a line every few seconds, if anything has changed', () => {
  const terminal = recordingTerminal(false);
  const progress = new Progress(terminal);
  for (const done of [1, 2, 3, 3]) {
    progress.show(state(done));
    vi.advanceTimersByTime(2000);
  }
  expect(terminal.output).toBe('3 of 9\n');
});

it('quiet progress prints notes alone', () => {
  const terminal = recordingTerminal(true);
  const progress = new Progress(terminal, { quiet: true });
  progress.show(state(1));
  progress.note('Redis is away.');
  progress.clear();
  expect(terminal.output).toBe('Redis is away.\n');
});

import { expect, it } from 'vitest';
import { isSummaryDue } from './request-summary.js';

it.each([
  [8, 0, false],
  [10, 0, true],
  [12, 0, true],
  [18, 10, false],
  [20, 10, true],
  [22, 12, true],
])(
  'a summary of a thread with %i messages, last summarized at %i, is due: %s',
  (messages, summarizedMessages, due) => {
    expect(isSummaryDue({ messages, summarizedMessages })).toBe(due);
  },
);

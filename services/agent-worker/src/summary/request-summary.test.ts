import { expect, test } from 'vitest';
import { isSummaryDue } from './request-summary.js';

test.each([
  [8, 0, false],
  [10, 0, true],
  [12, 0, true],
  [18, 10, false],
  [20, 10, true],
  [22, 12, true],
])('with %i messages, summarized at %i, a summary is due: %s', (messages, summarizedMessages, due) => {
  expect(isSummaryDue({ messages, summarizedMessages })).toBe(due);
});

import { expect, test } from 'vitest';
import { readSummary } from './read-summary.js';

test.each([
  ['Nodes and topics in ROS 2', 'Nodes and topics in ROS 2'],
  [' “Nodes and topics”\n', 'Nodes and topics'],
  ['Nodes\n\nand topics', 'Nodes and topics'],
  ['a\u0000b', 'ab'],
  ['', undefined],
  [' \n ', undefined],
  ['""', undefined],
])('%j is read as %j', (text, summary) => {
  expect(readSummary(text)).toBe(summary);
});

test('what is too long is cut at a word', () => {
  const summary = readSummary('Nodes and topics. '.repeat(30)) ?? '';
  expect(summary.length).toBeLessThanOrEqual(200);
  expect(summary).toMatch(/(Nodes|and|topics\.)…$/);
});

import { expect, it } from 'vitest';
import { readSummary } from './topic-summary.js';

it.each([
  ['Nodes and topics in ROS 2', 'Nodes and topics in ROS 2'],
  [' “Nodes and topics”\n', 'Nodes and topics'],
  ['Nodes\n\nand topics', 'Nodes and topics'],
  ['a\u0000b', 'ab'],
  ['<b>Nodes</b> ![x](https://evil.example) [9]', '&lt;b>Nodes&lt;/b> x'],
  ['', undefined],
  [' \n ', undefined],
  ['""', undefined],
])('readSummary(%j) returns %j', (text, summary) => {
  expect(readSummary(text)).toBe(summary);
});

it('readSummary() cuts a long summary before an address becomes code', () => {
  const summary = readSummary(`${'Nodes '.repeat(28)}https://evil.example/${'x'.repeat(100)}`) ?? '';
  expect(summary).toBe(`${'Nodes '.repeat(28).trim()}…`);
  const alone = readSummary(`<<a>>https://evil.example/${'x'.repeat(300)}`) ?? '';
  expect(alone.length).toBeLessThanOrEqual(200);
  expect(alone).toMatch(/^<&lt;a>>`https:.*…`$/);
});

it('readSummary() cuts a long summary at a word', () => {
  const summary = readSummary('Nodes and topics. '.repeat(30)) ?? '';
  expect(summary.length).toBeLessThanOrEqual(200);
  expect(summary).toMatch(/(Nodes|and|topics\.)…$/);
});

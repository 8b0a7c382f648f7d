import { expect, test } from 'vitest';
import { progressLine, summary } from './ingestion-report.js';

test('progress counts failed pages as dealt with and names them', () => {
  expect(progressLine({ total: 18, done: 4, chunks: 51, failed: [] })).toBe('4/18 pages, 51 chunks');
  const failed = [{ path: 'a.md', reason: 'x' }];
  expect(progressLine({ total: 18, done: 4, chunks: 51, failed })).toBe('5/18 pages, 51 chunks, 1 failed');
});

test('the summary lists failed pages with the reason, without the error code', () => {
  const failed = [
    { path: 'ros2/qos.md', reason: 'INVALID_REQUEST: The front matter is not valid YAML: line 2' },
    { path: 'b.md', reason: 'The file is not valid UTF-8' },
  ];
  expect(summary({ total: 3, done: 1, chunks: 12, failed }, 2345)).toBe(
    '1 page ingested, 12 chunks, 2.3 s\n' +
      '2 pages failed:\n' +
      '  ros2/qos.md: The front matter is not valid YAML: line 2\n' +
      '  b.md: The file is not valid UTF-8\n',
  );
});

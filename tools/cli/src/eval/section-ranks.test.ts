import { expect, test } from 'vitest';
import { rankSections } from './section-ranks.js';

test('a section has the rank of its first chunk, and none when no chunk is in it', () => {
  const chunks = [
    { url: 'https://x.org/a#one' },
    { url: 'https://x.org/b#two', anchors: ['two', 'three'] },
    { url: 'https://x.org/b#three' },
    { url: 'https://x.org/a#one' },
  ];
  expect(rankSections(['b#three', 'a#one', 'a', 'b#two'], chunks)).toEqual([2, 1, null, 2]);
});

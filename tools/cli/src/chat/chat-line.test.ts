import { expect, test } from 'vitest';
import { readChatLine } from './chat-line.js';

test.each([
  ['', { kind: 'nothing' }],
  [' \t', { kind: 'nothing' }],
  [' What is a/b? ', { kind: 'question', text: 'What is a/b?' }],
  ['/new', { kind: 'command', name: '/new', argument: '' }],
  [' /open  2 ', { kind: 'command', name: '/open', argument: '2' }],
  ['/', { kind: 'command', name: '/', argument: '' }],
])('%j is read as %j', (line, read) => {
  expect(readChatLine(line)).toEqual(read);
});

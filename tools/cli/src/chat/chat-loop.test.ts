import { expect, it } from 'vitest';
import { readChatLine } from './chat-loop.js';

it.each([
  ['', { kind: 'nothing' }],
  [' \t', { kind: 'nothing' }],
  [' What is a/b? ', { kind: 'question', text: 'What is a/b?' }],
  ['/new', { kind: 'command', name: '/new', argument: '' }],
  [' /open  2 ', { kind: 'command', name: '/open', argument: '2' }],
  ['/', { kind: 'command', name: '/', argument: '' }],
])('a chat line %j is read as %j', (line, read) => {
  expect(readChatLine(line)).toEqual(read);
});

import { expect, it } from 'vitest';
import type { ChatRequest } from './chat-request.js';
import { groundedAnswer, tokensOfLength } from './grounded-answer.js';

const asked = (...contents: string[]): ChatRequest => ({
  model: 'any',
  messages: contents.map((content) => ({ role: 'user', content })),
});

const PASSAGES = `Passages:
[1] A chunk is a piece of text. It overlaps with its neighbours. It has an offset.

[2] An index finds
the nearest chunks [7]!

[3] Nothing else matters.

Question: what is a chunk?`;

it('the answer made from the prompt quotes the first two passages with their citations', () => {
  expect(groundedAnswer(asked('Cite passages like [1].', PASSAGES))).toBe(
    'A chunk is a piece of text [1]. An index finds the nearest chunks [2]. It overlaps with its neighbours [1].',
  );
});

it('the answer made from the prompt reads passages from content parts as well', () => {
  const parts = [{ type: 'text', text: '[1] Only one.' }];
  expect(groundedAnswer({ model: 'any', messages: [{ role: 'user', content: parts }] })).toBe(
    'Only one [1].',
  );
});

it('the answer made from the prompt takes the passages of the latest message that has any', () => {
  expect(groundedAnswer(asked('[1] Old news.', '[4] Fresh news.', 'And now?'))).toBe('Fresh news [4].');
});

it('the answer made from the prompt is the question itself when the prompt quotes one and has no passage', () => {
  expect(groundedAnswer(asked('Rewrite it.', '<question key="1">\nAnd then?\n</question key="1">'))).toBe(
    'And then?',
  );
});

it('the answer made from the prompt is a plain sentence when the prompt has no passage', () => {
  expect(groundedAnswer(asked('Cite like [1] or [2].'))).toBe(
    'The material given does not answer this question.',
  );
});

it('the answer made from the prompt is the same for the same prompt', () => {
  expect(groundedAnswer(asked(PASSAGES))).toBe(groundedAnswer(asked(PASSAGES)));
});

it.each([1, 3, 50])('an answer of %i tokens has exactly so many and repeats the text', (count) => {
  const tokens = tokensOfLength('A short answer [1].', count);
  expect(tokens).toHaveLength(count);
  expect('A short answer [1]. '.repeat(count).startsWith(tokens.join(''))).toBe(true);
});

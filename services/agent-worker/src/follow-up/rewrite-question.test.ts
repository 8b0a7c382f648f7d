import { expect, it } from 'vitest';
import { combineQuestions, readRewritten } from './rewrite-question.js';

it.each([
  ['How do nodes talk?', 'How do nodes talk?'],
  ['  "How do nodes talk?"\n', 'How do nodes talk?'],
  ['«Wie reden Knoten?»', 'Wie reden Knoten?'],
  ['How \u0000do\uD83D nodes talk?', 'How do\uFFFD nodes talk?'],
  ['', undefined],
  ['""', undefined],
  ['Nodes talk by topics.\nThey also call services.', undefined],
  ['x'.repeat(1001), undefined],
])('readRewritten(%j) returns %j', (text, question) => {
  expect(readRewritten(text)).toBe(question);
});

it.each([
  ['What is a node?', 'And a topic?', 'What is a node? And a topic?'],
  ['', 'And a topic?', 'And a topic?'],
  ['x'.repeat(1000), 'And?', `${'x'.repeat(995)} And?`],
  ['before', 'y'.repeat(1000), 'y'.repeat(1000)],
])(
  'combineQuestions() puts the previous question first, cut to the room that is left',
  (before, question, combined) => {
    expect(
      combineQuestions(
        [
          { question: 'older', answer: '' },
          { question: before, answer: '' },
        ],
        question,
      ),
    ).toBe(combined);
  },
);

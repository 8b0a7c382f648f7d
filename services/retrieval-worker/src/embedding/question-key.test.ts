import { expect, it } from 'vitest';
import { normaliseQuestion, questionKey } from './question-key.js';

const keyOf = (question: string) => questionKey(normaliseQuestion(question));

it.each([
  ['  What is QoS?\n', 'What is QoS?'],
  ['What  is\t\nQoS?', 'What is QoS?'],
  ['cafe\u0301', 'caf\u00E9'],
])('%j has the same key as %j', (asked, same) => {
  expect(keyOf(asked)).toBe(keyOf(same));
});

it.each([
  ['What is ROS?', 'What is ros?'],
  ['What is ROS?', 'What is ROS'],
])('%j has another key than %j', (asked, other) => {
  expect(keyOf(asked)).not.toBe(keyOf(other));
});

import { expect, test } from 'vitest';
import { normaliseQuestion, questionKey } from './question-key.js';

const keyOf = (question: string) => questionKey(normaliseQuestion(question));

test.each([
  ['  What is QoS?\n', 'What is QoS?'],
  ['What  is\t\nQoS?', 'What is QoS?'],
  ['cafe\u0301', 'caf\u00E9'],
])('%j is the same question as %j', (asked, same) => {
  expect(keyOf(asked)).toBe(keyOf(same));
});

test.each([
  ['What is ROS?', 'What is ros?'],
  ['What is ROS?', 'What is ROS'],
])('%j is another question than %j', (asked, other) => {
  expect(keyOf(asked)).not.toBe(keyOf(other));
});

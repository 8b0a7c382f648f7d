import { expect, it } from 'vitest';
import { wordCoverage } from './word-coverage.js';

it.each<[question: string, passages: string[], coverage: number]>([
  ['How do nodes communicate?', ['A node publishes.', 'Communication needs topics.'], 1],
  ['How do nodes communicate?', ['A node publishes.'], 0.5],
  ['What is bitcoin?', ['What is a node? The node is a process.'], 0],
  ['What is it?', ['It is what it is.'], 0],
  ['GZ_SIM_RESOURCE_PATH', ['Set `GZ_SIM_RESOURCE_PATH` first.'], 1],
  ['node node NODE topic', ['node'], 0.5],
  ['Was ist ein Knoten?', [], 0],
])('%j in %j is %d', (question, passages, coverage) => {
  expect(wordCoverage(question, passages)).toBe(coverage);
});

it('the length of a question does not raise its coverage', () => {
  const passages = ['A node publishes on a topic.'];
  const short = wordCoverage('node bitcoin', passages);
  expect(wordCoverage('node topic bitcoin mortgage', passages)).toBe(short);
});

import { expect, it } from 'vitest';
import { parseGoldenLines } from './parse-golden-lines.js';

const valid = { id: 'a', type: 'lexical', question: 'Why?', expected: ['ros2/qos#durability'] };
const line = (changes: object = {}) => JSON.stringify({ ...valid, ...changes });
const problemsOf = (...lines: string[]) => parseGoldenLines(lines.join('\n')).problems;

it('each line of a golden file is a question; blank lines and both kinds of line ends are allowed', () => {
  const { questions, problems } = parseGoldenLines(`${line()}\r\n\n  \n${line({ id: 'b' })}\n`);
  expect(problems).toEqual([]);
  expect(questions).toEqual([
    { ...valid, needs: 'any' },
    { ...valid, id: 'b', needs: 'any' },
  ]);
});

it.each([
  ['lexical', undefined, 'any'],
  ['paraphrased', undefined, 'any'],
  ['multi_section', undefined, 'all'],
  ['lexical', 'all', 'all'],
  ['multi_section', 'any', 'any'],
])('a %s question with needs %s needs %s of its expected sections', (type, needs, expected) => {
  expect(parseGoldenLines(line({ type, needs })).questions[0]?.needs).toBe(expected);
});

it.each([
  ['that is a comment', '// later', /^not JSON/],
  ['that is no object', '[]', /expected object/],
  ['with an unknown field', line({ answer: '42' }), /answer/],
  ['without id', line({ id: undefined }), /^id: /],
  ['with an unknown type', line({ type: 'easy' }), /^type: /],
  ['with an empty question', line({ question: ' ' }), /^question: /],
  ['without expected sections', line({ expected: [] }), /^expected: must name at least one section/],
  ['with expected sections though out of scope', line({ type: 'out_of_scope' }), /^expected: must be empty/],
  ['with an expected section that names no page', line({ expected: ['#x'] }), /^expected\.0: must be a page/],
  ['with the same section twice', line({ expected: ['a#x', 'a#x'] }), /^expected: must not repeat/],
  ['with unknown needs', line({ needs: 'most' }), /^needs: /],
  [
    'with needs though out of scope',
    line({ type: 'out_of_scope', expected: [], needs: 'all' }),
    /^needs: has no meaning/,
  ],
])('a line of a golden file %s is refused', (_, text, problem) => {
  expect(problemsOf(text)).toEqual([{ line: 1, problem: expect.stringMatching(problem) as string }]);
});

it('a line of a golden file with a duplicate id is refused, naming the earlier line', () => {
  expect(problemsOf(line(), line({ id: 'b' }), line())).toEqual([
    { line: 3, problem: 'id: a is taken by line 1' },
  ]);
});

it('every problem of a golden file is listed with its line number', () => {
  const problems = problemsOf(line(), '', '{', line({ id: 'c', type: 'easy', question: '' }));
  expect(problems.map(({ line: number }) => number)).toEqual([3, 4, 4]);
});

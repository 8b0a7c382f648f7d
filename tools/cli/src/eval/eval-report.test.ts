import type { RetrievalResult } from '@quire/shared/contracts';
import { expect, it } from 'vitest';
import { retrievalResult } from '../../test/scripted-retrieval.js';
import type { QueryResult } from '../golden/search-all.js';
import type { GoldenQuestion } from '../golden/golden-question.js';
import { figureNames, figuresOf } from './eval-figures.js';
import { evalQueries, type EvalQuery } from './eval-queries.js';
import { evaluate } from './eval-report.js';
import { evalText } from './eval-text.js';

const questions: GoldenQuestion[] = [
  { id: 'l', type: 'lexical', question: 'l?', expected: ['a#one'], needs: 'any' },
  { id: 'm', type: 'multi_section', question: 'm?', expected: ['a#one', 'b#two'], needs: 'all' },
  { id: 'o', type: 'out_of_scope', question: 'o?', expected: [], needs: 'any' },
];
const queries = evalQueries(questions, 10);
const found = (...urls: string[]): RetrievalResult =>
  retrievalResult(urls.map((url) => ({ url, similarity: 0.5 })));

function reportOn(answerTo: (query: EvalQuery) => RetrievalResult | string) {
  const answers = queries.map((query): QueryResult => {
    const answer = answerTo(query);
    return typeof answer === 'string' ? { ok: false, reason: answer } : { ok: true, result: answer };
  });
  return evaluate(queries, answers, 10);
}

it('in-scope questions are asked in three modes and as a chat asks, others only as a chat asks', () => {
  const purposesOf = (id: string) =>
    queries.filter(({ question }) => question.id === id).map(({ purpose }) => purpose);
  expect(purposesOf('l')).toEqual(['hybrid', 'dense', 'sparse', 'confidence']);
  expect(purposesOf('m')).toEqual(['hybrid', 'dense', 'sparse', 'confidence']);
  expect(purposesOf('o')).toEqual(['confidence']);
  expect(queries[1]?.query).toEqual({ query: 'l?', top_k: 10, similarity_threshold: 0, mode: 'dense' });
  expect(queries[3]?.query).toEqual({ query: 'l?', top_k: 5, mode: 'hybrid' });
});

it('each mode is summarised over the in-scope questions, and over each type of them', () => {
  const { modes, questions: evaluated } = reportOn(({ purpose }) =>
    purpose === 'dense' ? found('https://x.org/b#two') : found('https://x.org/b', 'https://x.org/a#one'),
  );
  expect(modes.hybrid.all).toMatchObject({
    questions: 2,
    figures: { 'hit@1': 0, 'hit@3': 1, mrr: 0.5, 'recall@10': 0.75 },
  });
  expect(modes.dense.all).toMatchObject({ questions: 2, figures: { 'hit@1': 0.5, 'recall@10': 0.25 } });
  expect(Object.keys(modes.dense.by_type)).toEqual(['lexical', 'multi_section']);
  expect(modes.dense.by_type.lexical).toMatchObject({ questions: 1, figures: { 'hit@10': 0 } });
  expect(evaluated[1]?.rankings.dense).toEqual({ ranks: [null, 1], urls: ['https://x.org/b#two'] });
});

it('a question is missed when the hybrid search finds none of its sections, not when it finds some', () => {
  const report = reportOn(({ purpose }) =>
    found(purpose === 'hybrid' ? 'https://x.org/b#two' : 'https://x.org/a#one'),
  );
  expect(report.missed).toEqual(['l']);
  expect(evalText(report)).toContain('  l: l?\n    expected a#one\n');
});

it('a failed search is listed and counts in no figure', () => {
  const report = reportOn(({ question, purpose }) =>
    question.id === 'm' && purpose !== 'sparse' ? 'The index is away' : found('https://x.org/a#one'),
  );
  expect(report.failed).toEqual(
    ['hybrid', 'dense', 'confidence'].map((purpose) => ({ id: 'm', purpose, reason: 'The index is away' })),
  );
  expect([report.modes.hybrid.all.questions, report.modes.sparse.all.questions]).toEqual([1, 2]);
  expect(report.confidence.in_scope.questions).toBe(1);
  expect(report.missed).toEqual([]);
});

it('every figure of a report has a name that a gate may use', () => {
  const names = [...figuresOf(reportOn(() => found('https://x.org/a#one'))).keys()];
  expect(figureNames(10)).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(expect.arrayContaining(['hybrid.mrr', 'sparse.multi_section.ndcg@10']));
  const { confidence } = reportOn(() => found());
  expect(figuresOf(reportOn(() => found())).get('confidence.in_scope.should_answer')).toBe(
    confidence.in_scope.should_answer,
  );
});

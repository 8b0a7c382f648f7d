import { expect, it } from 'vitest';
import { addGate, checkGates, missedGates } from './gates.js';

it('repeated gates are collected', () => {
  expect(addGate('dense.mrr=.5', addGate('hybrid.ndcg@10=0.8'))).toEqual([
    { figure: 'hybrid.ndcg@10', atLeast: 0.8 },
    { figure: 'dense.mrr', atLeast: 0.5 },
  ]);
});

it.each([
  'hybrid.mrr',
  'hybrid.mrr=',
  '=0.8',
  'hybrid.mrr=1.2',
  'hybrid.mrr=-1',
  'hybrid.mrr=high',
  'hybrid.mrr=80%',
])('%s is refused as a gate', (text) => {
  expect(() => addGate(text)).toThrow('It must look like hybrid.ndcg@10=0.8');
});

const check = (figure: string, topK = 10) => checkGates([{ figure, atLeast: 0.5 }], topK);

it.each(['sparse.hit@3', 'hybrid.paraphrased.recall@10', 'confidence.out_of_scope.insufficient_or_low'])(
  'a gate may name %s',
  (figure) => {
    expect(() => check(figure)).not.toThrow();
  },
);

it('an unknown figure in a gate is refused, with the list of known ones', () => {
  expect(() => check('hybrid.hit@7')).toThrow(/no figure hybrid\.hit@7[^]*hybrid\.hit@5/);
  expect(() => check('hybrid.out_of_scope.mrr')).toThrow('no figure');
  expect(() => check('hybrid.ndcg@10', 5)).toThrow('no figure');
});

it('a figure below its gate is reported with both values, and one that reaches it is not', () => {
  const figures = new Map([
    ['hybrid.mrr', 0.79999],
    ['dense.mrr', 0.8 - 1e-16],
  ]);
  const gates = ['hybrid.mrr', 'dense.mrr'].map((figure) => ({ figure, atLeast: 0.8 }));
  expect(missedGates(gates, figures)).toEqual(['hybrid.mrr is 0.7999, below 0.8.']);
});

it('a figure that no question counts in misses its gate', () => {
  const gates = [{ figure: 'hybrid.lexical.mrr', atLeast: 0 }];
  expect(missedGates(gates, new Map())).toEqual([expect.stringContaining('no question counts') as string]);
});

import { expect, it } from 'vitest';
import { newView, type ClientView, type Ending } from '../clients/client-view.js';
import type { StoredQuestion } from './stored-question.js';
import { countTotals } from './totals.js';

const view = (changes: Partial<ClientView>): ClientView => ({
  ...newView('stream', 'q', 's', 0),
  ...changes,
});
const told = (ending: Ending) => view({ responseEndings: [ending] });
const completed = (answer: string | null): Ending => ({
  type: 'completed',
  mode: answer === null ? 'retrieval_only' : 'full',
  answer,
});
const overdue: Ending = { type: 'failed', code: 'DEADLINE_EXCEEDED' };

it('the totals count outcomes as the clients received them, and refusals by code', () => {
  const views = [
    told(completed('text')),
    told(completed(null)),
    told({ type: 'cancelled' }),
    told(overdue),
    told(overdue),
    view({ refusals: { OVERLOADED: 2 }, resumes: 3 }),
    view({ refusals: { OVERLOADED: 1, SHUTTING_DOWN: 1 } }),
  ];
  expect(countTotals(views, new Map(), [])).toMatchObject({
    questions: 7,
    answered: 1,
    retrievalOnly: 1,
    cancelled: 1,
    failed: { DEADLINE_EXCEEDED: 2 },
    refused: { OVERLOADED: 3, SHUTTING_DOWN: 1 },
    resumed: 1,
  });
});

it('the totals count takeovers and overdue runs from Postgres', () => {
  const question: StoredQuestion = {
    runs: [
      { id: 'taken-over', attempt: 2, ending: completed('text') },
      { id: 'overdue', attempt: 1, ending: overdue },
      { id: 'never-begun', attempt: 0, ending: overdue },
    ],
    messages: [],
  };
  expect(countTotals([], new Map([['s', question]]), [])).toMatchObject({
    runs: 3,
    takenOver: 1,
    overdue: ['overdue'],
  });
});

it('the totals count abandoned runs by outcome', () => {
  const runs = [{ id: 'left', attempt: 1, ending: { type: 'cancelled' } as const }];
  const stored = new Map([['s', { runs, messages: [] }]]);
  expect(countTotals([view({ hasLeft: true })], stored, [])).toMatchObject({ left: { cancelled: 1 } });
});

it('a stream that stopped short of its answer is counted as shortened', () => {
  const events = [
    { id: 1, type: 'delta', at: 0, text: 'te' },
    { id: 2, type: 'completed', at: 0, ending: completed('text') },
  ];
  expect(countTotals([view({ events })], new Map(), []).shortened).toBe(1);
});

it('a question with two findings of one kind counts once in the totals', () => {
  const findings = [
    { harm: 'lost', what: 'a' },
    { harm: 'lost', what: 'b' },
    { harm: 'hung', what: 'c' },
  ] as const;
  const offence = {
    kind: 'json',
    sessionId: 's',
    runIds: [],
    findings: [...findings],
    askedAt: '',
    trace: [],
  };
  expect(countTotals([], new Map(), [offence])).toMatchObject({ lost: 1, doubled: 0, hung: 1 });
});

import { expect, it } from 'vitest';
import { newView, type ClientView, type Ending, type SeenEvent } from '../clients/client-view.js';
import { scriptedAnswer, tokenOf } from '../questions/scripted-answer.js';
import type { Finding } from './finding.js';
import { judgeQuestion } from './judge-question.js';
import type { StoredQuestion } from './stored-question.js';

const RUN = '7d1f4a52-9d0c-4c57-9f0e-3f0c1f3f4b11';
const SECOND_RUN = '8d1f4a52-9d0c-4c57-9f0e-3f0c1f3f4b12';
const token = tokenOf(RUN);
const answer = scriptedAnswer(token);
const pieces = answer.match(/\s*\S+/g) ?? [];
const completed: Ending = { type: 'completed', mode: 'full', answer };
const failed: Ending = { type: 'failed', code: 'RETRIEVAL_UNAVAILABLE' };

const delta = (id: number, text: string): SeenEvent => ({ id, type: 'delta', at: id, text });
const end = (id: number | undefined, ending: Ending): SeenEvent => ({ id, type: ending.type, at: 0, ending });
const reset = (id: number | undefined): SeenEvent => ({ id, type: 'reset', at: 0, reason: 'taken_over' });

function streamed(events: SeenEvent[], changes: Partial<ClientView> = {}): ClientView {
  return { ...newView('stream', token, RUN, 0), endedAt: 1, runIds: [RUN], events, ...changes };
}

const left = () => streamed([delta(1, pieces[0] ?? '')], { kind: 'leave', hasLeft: true });

const stored = (changes: Partial<StoredQuestion> = {}): StoredQuestion => ({
  runs: [{ id: RUN, attempt: 1, ending: completed }],
  messages: [
    { runId: RUN, role: 'user', content: 'How?' },
    { runId: RUN, role: 'assistant', content: answer },
  ],
  ...changes,
});
const endedAs = (ending: Ending | undefined, attempt = 1) =>
  stored({ runs: [{ id: RUN, attempt, ending }], messages: [] });

const allDeltas = pieces.map((piece, index) => delta(index + 1, piece));
const lastId = pieces.length + 1;
const whole = [...allDeltas, end(lastId, completed)];
const judge = (view: ClientView, found = stored(), logMayBeLost = false): Finding[] =>
  judgeQuestion(view, found, { logMayBeLost });
const harms = (findings: Finding[]) => [...new Set(findings.map(({ harm }) => harm))];

it.each([
  ['a stream with its answer', streamed(whole), stored()],
  [
    'a takeover that begins anew',
    streamed([
      delta(1, pieces[0] ?? ''),
      reset(2),
      ...allDeltas.map((event) => ({ ...event, id: (event.id ?? 0) + 2 })),
      end(lastId + 2, completed),
    ]),
    stored(),
  ],
  [
    'a log that was lost and begun anew, and said so',
    streamed([delta(40, pieces[0] ?? ''), reset(undefined), ...whole]),
    stored(),
  ],
  ['a JSON answer', { ...streamed([]), kind: 'json' as const, responseEndings: [completed] }, stored()],
  ['an honest failure', streamed([delta(1, pieces[0] ?? ''), end(2, failed)]), endedAs(failed)],
  [
    'a cancel that was asked for',
    streamed([delta(1, pieces[0] ?? ''), end(2, { type: 'cancelled' })], { cancelAsked: true }),
    endedAs({ type: 'cancelled' }),
  ],
  [
    'an answer of sources alone',
    streamed([end(1, { type: 'completed', mode: 'retrieval_only', answer: null })]),
    stored({
      runs: [{ id: RUN, attempt: 1, ending: { type: 'completed', mode: 'retrieval_only', answer: null } }],
    }),
  ],
  [
    'a run that the queue did not take, asked again',
    streamed(whole),
    stored({
      runs: [
        { id: SECOND_RUN, attempt: 0, ending: { type: 'failed', code: 'QUEUE_UNAVAILABLE' } },
        { id: RUN, attempt: 1, ending: completed },
      ],
    }),
  ],
  ['a run that was cancelled behind its client', left(), endedAs({ type: 'cancelled' })],
  ['a run that was completed behind its client', left(), stored()],
  ['a question that was never taken', { ...streamed([]), runIds: [] }, { runs: [], messages: [] }],
])('the judge finds nothing wrong with %s', (_title, view, found) => {
  expect(judge(view, found)).toEqual([]);
});

it('the judge finds nothing wrong in a stream that is cut short because Redis lost its log and ends with the whole answer', () => {
  const shortened = streamed([...allDeltas.slice(0, 9), end(10, completed)]);
  expect(judge(shortened, stored(), true)).toEqual([]);
  expect(harms(judge(shortened, stored(), false))).toEqual(['lost']);
});

it.each([
  ['text missing from a stream', streamed([...allDeltas.slice(1), end(lastId, completed)]), stored()],
  [
    'text of another answer in a stream',
    streamed([...allDeltas, delta(lastId, ` ${tokenOf(SECOND_RUN)}-1`), end(lastId + 1, completed)]),
    stored(),
  ],
  ['a run without an outcome', streamed([...allDeltas]), endedAs(undefined)],
  ['an outcome that never reached its client', streamed([...allDeltas]), stored()],
  [
    'a run that no worker started before its deadline',
    streamed([end(2, { type: 'failed', code: 'DEADLINE_EXCEEDED' })]),
    endedAs({ type: 'failed', code: 'DEADLINE_EXCEEDED' }, 0),
  ],
  [
    'a run that failed by a defect, or was given up',
    streamed([end(2, { type: 'failed', code: 'INTERNAL' })]),
    endedAs({ type: 'failed', code: 'INTERNAL' }, 4),
  ],
  ['a completed run without its turn', streamed(whole), stored({ messages: [] })],
  [
    'another answer in the thread',
    streamed(whole),
    stored({
      messages: [
        { runId: RUN, role: 'user', content: 'How?' },
        { runId: RUN, role: 'assistant', content: 'something else' },
      ],
    }),
  ],
  ['a run that Postgres does not hold', streamed(whole), { runs: [], messages: [] }],
  [
    'a cancel that was not requested',
    streamed([end(1, { type: 'cancelled' })]),
    endedAs({ type: 'cancelled' }),
  ],
  [
    'a refusal where the book holds the answer',
    streamed([end(1, { type: 'completed', mode: 'no_results', answer: 'Not in the book' })]),
    stored({
      runs: [
        {
          id: RUN,
          attempt: 1,
          ending: { type: 'completed', mode: 'no_results', answer: 'Not in the book' },
        },
      ],
      messages: [
        { runId: RUN, role: 'user', content: 'How?' },
        { runId: RUN, role: 'assistant', content: 'Not in the book' },
      ],
    }),
  ],
  ['a run without an outcome behind its client', left(), endedAs(undefined)],
  [
    'another answer behind its client',
    left(),
    stored({
      runs: [{ id: RUN, attempt: 1, ending: { type: 'completed', mode: 'full', answer: 'else' } }],
      messages: [
        { runId: RUN, role: 'user', content: 'How?' },
        { runId: RUN, role: 'assistant', content: 'else' },
      ],
    }),
  ],
  [
    'a cancel before its client had left',
    streamed([end(1, { type: 'cancelled' })], { kind: 'leave' }),
    endedAs({ type: 'cancelled' }),
  ],
  ['an unexpected response', streamed(whole, { unexpected: ['POST 400'] }), stored()],
])('the judge counts as lost: %s', (_title, view, found) => {
  expect(harms(judge(view, found))).toEqual(['lost']);
});

it.each([
  [
    'text repeated in a stream',
    streamed([
      ...allDeltas,
      ...allDeltas.map((event) => ({
        ...event,
        id: (event.id ?? 0) + lastId,
        text: ` ${event.text?.trim()}`,
      })),
      end(3 * lastId, completed),
    ]),
    stored(),
  ],
  ['two terminal events', streamed([...whole, end(lastId + 1, completed)]), stored()],
  ['an event after the terminal one', streamed([...whole, delta(lastId + 1, '')]), stored()],
  [
    'an event that comes a second time',
    streamed([...allDeltas, delta(3, ''), end(lastId, completed)]),
    stored(),
  ],
  [
    'two different outcomes',
    streamed(whole, { responseEndings: [{ type: 'cancelled' }], cancelAsked: true }),
    stored(),
  ],
  [
    'a DELETE that says another outcome than the stream',
    streamed(whole, { cancelAsked: true, cancelState: 'cancelled' }),
    stored(),
  ],
  ['a received outcome that is not the stored one', streamed([end(1, failed)]), stored()],
  [
    'two runs for one key',
    streamed(whole),
    stored({
      runs: [
        { id: RUN, attempt: 1, ending: completed },
        { id: SECOND_RUN, attempt: 1, ending: failed },
      ],
    }),
  ],
  [
    'a turn that is stored twice',
    streamed(whole),
    stored({ messages: [...stored().messages, ...stored().messages] }),
  ],
  [
    'messages of a run that was cancelled behind its client',
    left(),
    stored({ runs: [{ id: RUN, attempt: 1, ending: { type: 'cancelled' } }] }),
  ],
  [
    'messages of a run that failed',
    streamed([end(1, failed)]),
    stored({ runs: [{ id: RUN, attempt: 1, ending: failed }] }),
  ],
])('the judge counts as doubled: %s', (_title, view, found) => {
  expect(harms(judge(view, found))).toEqual(['doubled']);
});

it('the judge counts a client whose limit has passed as hung', () => {
  const view = streamed([], { hungAt: 'POST /chat', endedAt: 90_000, runIds: [] });
  expect(judge(view, { runs: [], messages: [] })).toEqual([
    { harm: 'hung', what: 'after 90 s still waiting: POST /chat' },
  ]);
});

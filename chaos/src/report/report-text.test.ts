import { expect, it } from 'vitest';
import { isClean, type ChaosReport } from './report.js';
import { reportText } from './report-text.js';

const report: ChaosReport = {
  seed: 1,
  seconds: 60,
  clients: 4,
  schedule: [],
  faults: [
    {
      name: 'agent-kill',
      injected: 2,
      slowestRecoveryMs: 1940,
      slowestTakeoverMs: 7900,
      slowestHinderedTakeoverMs: undefined,
    },
    {
      name: 'redis-flush',
      injected: 1,
      slowestRecoveryMs: Infinity,
      slowestTakeoverMs: undefined,
      slowestHinderedTakeoverMs: undefined,
    },
  ],
  totals: {
    questions: 12,
    runs: 11,
    answered: 8,
    retrievalOnly: 1,
    cancelled: 1,
    failed: { RETRIEVAL_UNAVAILABLE: 1 },
    refused: {},
    left: {},
    resumed: 3,
    takenOver: 1,
    shortened: 0,
    overdue: [],
    lost: 1,
    doubled: 0,
    hung: 0,
  },
  slowestRecoveryMs: 1940,
  offences: [],
  lateTakeovers: [],
  leftUnderWay: [],
  leaked: [],
  unexpectedEnds: [],
};
const offence = {
  kind: 'async',
  sessionId: 'session',
  runIds: ['run-1'],
  askedAt: '2026-01-01T00:00:00.000Z',
  trace: [],
  findings: [{ harm: 'lost', what: 'run-1 has no outcome' } as const],
};

const fault = { name: 'agent-kill', begunAt: 0, endedAt: 1000 } as const;
const takeover = { fault, runId: 'run-1', afterMs: 12_300, isHindered: false };
const unexpectedEnd = { label: 'gateway-1', how: '1', lastLines: ['a line'] };

it('the report prints each fault in a row, and a recovery that never came', () => {
  expect(reportText(report).split('\n').slice(0, 3)).toEqual([
    'fault        injected  slowest recovery  slowest takeover  hindered takeover',
    'agent-kill          2             1.9 s             7.9 s                  –',
    'redis-flush         1             never                 –                  –',
  ]);
});

it('the report prints failures by their code', () => {
  expect(reportText(report)).toMatch(/^failed RETRIEVAL_UNAVAILABLE +1$/m);
  expect(reportText(report)).toMatch(/^refused +0$/m);
});

it('the report prints which service ended by itself, and its last lines', () => {
  expect(reportText({ ...report, unexpectedEnds: [unexpectedEnd] })).toContain(
    'gateway-1 ended by itself with 1:\n  a line\n',
  );
});

it('the report names the runs that were taken over too late', () => {
  expect(reportText({ ...report, lateTakeovers: [takeover] })).toContain(
    'agent-kill: run-1 was taken over after 12.3 s\n',
  );
});

it('the report names the runs with findings', () => {
  expect(reportText({ ...report, offences: [offence] })).toContain(
    'async run-1\n  lost: run-1 has no outcome\n',
  );
});

it.each([
  ['a question with findings', { offences: [offence] }],
  ['a takeover that took too long', { lateTakeovers: [takeover] }],
  ['a service that ended by itself', { unexpectedEnds: [unexpectedEnd] }],
  ['work left under way', { leftUnderWay: ['1 waiting job'] }],
  ['a process left behind', { leaked: ['gateway-1 (pid 7)'] }],
])('a report with %s is not clean', (_title, changes) => {
  expect(isClean(report)).toBe(true);
  expect(isClean({ ...report, ...changes })).toBe(false);
});

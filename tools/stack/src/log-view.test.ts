import { expect, it } from 'vitest';
import { createLogView } from './log-view.js';

const LINE = JSON.stringify({
  timestamp: '2026-01-02T03:04:05.678Z',
  level: 'warn',
  service: 'agent-worker',
  stage: 'agent',
  request_id: 'r-1',
  message: 'the model is slow',
  latency_ms: 1200,
});

it('the log view shows a JSON log line as name, time, level, message and the rest', () => {
  expect(createLogView(false)('agent-worker-2', LINE)).toMatch(
    /^agent-worker-2 +\[\d\d:\d\d:05\.678\] WARN: the model is slow {"stage":"agent","request_id":"r-1","latency_ms":1200}$/,
  );
});

it.each(['plain text', '{broken json', ''])(
  'the log view passes lines through that are no JSON logs: %j',
  (line) => {
    expect(createLogView(false)('gateway', line).replace(/^gateway +/, '')).toBe(line);
  },
);

it('the log view puts the name before every line of a stack trace', () => {
  const error = { type: 'Error', message: 'no', stack: 'Error: no\n    at here' };
  const text = createLogView(false)('gateway', JSON.stringify({ level: 'error', message: 'failed', error }));
  expect(text).toContain('at here');
  for (const line of text.split('\n')) expect(line).toMatch(/^gateway /);
});

it('the log view uses colours only when asked to', () => {
  expect(createLogView(false)('gateway', LINE)).not.toContain('\u001B[');
  expect(createLogView(true)('gateway', LINE)).toContain('\u001B[');
});

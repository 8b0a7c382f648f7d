import { expect, it } from 'vitest';
import { stalledRunIn } from './stalled-runs.js';

const line = (fields: object) => JSON.stringify({ level: 'warn', ...fields });
const message = 'Job stalled: its lock expired';

it.each([
  ['a run that lost its worker', line({ queue: 'chat', job_id: 'run-1', message }), 'run-1'],
  ['a search that lost its worker', line({ queue: 'retrieval', job_id: 'job-1', message }), undefined],
  ['another line', line({ queue: 'chat', job_id: 'run-1', message: 'Job failed' }), undefined],
  ['no JSON at all', 'Error: Job stalled', undefined],
])('%s', (_title, told, runId) => {
  expect(stalledRunIn(told)).toBe(runId);
});

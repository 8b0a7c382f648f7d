import { expect, it } from 'vitest';
import { stalledRunIn } from './stalled-runs.js';

const line = (fields: object) => JSON.stringify({ level: 'warn', ...fields });
const message = 'Job stalled: its lock expired';

it.each([
  ['run-1 in the line of a stalled run', line({ queue: 'chat', job_id: 'run-1', message }), 'run-1'],
  [
    'nothing in the line of a stalled search',
    line({ queue: 'retrieval', job_id: 'job-1', message }),
    undefined,
  ],
  ['nothing in another line', line({ queue: 'chat', job_id: 'run-1', message: 'Job failed' }), undefined],
  ['nothing in a line that is not JSON', 'Error: Job stalled', undefined],
])('stalledRunIn() finds %s', (_title, text, runId) => {
  expect(stalledRunIn(text)).toBe(runId);
});

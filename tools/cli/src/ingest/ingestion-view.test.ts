import { expect, it } from 'vitest';
import { recordingTerminal } from '../../test/recording-terminal.js';
import { Progress } from '../progress.js';
import { ingestionView } from './ingestion-view.js';

it('the view draws progress on one line and prints notices between', () => {
  const terminal = recordingTerminal(true);
  const show = ingestionView(new Progress(terminal));
  show({ type: 'pages', found: 4, finished: 1, failed: 0, chunks: 7 });
  show({ type: 'no_worker' });
  show({ type: 'replacing' });
  show({ type: 'carry', carried: 1200 });
  const lines = terminal.output.replaceAll('\r\u001B[2K', '\n').split('\n').filter(Boolean);
  expect(lines).toEqual([
    expect.stringContaining('1/4 pages  7 chunks'),
    'No retrieval worker is running; waiting for one (start it with `npm start` or `docker compose up`).',
    expect.stringMatching(/^The index was made by another embedder: building a new one; /),
    '1,200 chunks carried over into the new index',
  ]);
});

import { expect, it } from 'vitest';
import { recordingTerminal } from '../../test/recording-terminal.js';
import { LiveText } from './live-text.js';

const asIs = (text: string) => text;
const live = (columns = 10, rows = 4) => {
  const terminal = recordingTerminal(true, { columns, rows });
  return { terminal, text: new LiveText(terminal) };
};

it('live text is erased line by line, as the terminal has wrapped it', () => {
  const { terminal, text } = live();
  text.append('ten chars!+');
  text.append('\nb');
  text.startOver();
  expect(terminal.stdout).toBe('ten chars!+\nb\r\u001B[2A\u001B[J');
  expect(text.text).toBe('');
});

it('live text on one line is erased without moving the cursor up', () => {
  const { terminal, text } = live();
  text.append('abc');
  text.startOver();
  expect(terminal.stdout).toBe('abc\r\u001B[J');
});

it('live text that has scrolled away stays, and a line marks the new start', () => {
  const { terminal, text } = live();
  text.append('1\n2\n3\n4\n5');
  text.startOver();
  text.append('new');
  expect(terminal.stdout).toBe('1\n2\n3\n4\n5\n— starting over —\nnew');
});

it('live text replaces the status line, and a status is not drawn over text', () => {
  const { terminal, text } = live();
  text.showStatus('Searching the whole book', asIs);
  text.append('a');
  text.showStatus('Writing', asIs);
  text.end();
  expect(terminal.stdout).toBe('Searching\r\u001B[2Ka\n');
});

it('live text ends at the start of a line, also when nothing was drawn', () => {
  const { terminal, text } = live();
  text.end();
  text.append('a\n');
  text.end();
  expect(terminal.stdout).toBe('a\n');
});

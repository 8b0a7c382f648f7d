import { expect, test } from 'vitest';
import { recordingTerminal } from '../../test/recording-terminal.js';
import { LiveText } from './live-text.js';

const asIs = (text: string) => text;
const live = (columns = 10, rows = 4) => {
  const terminal = recordingTerminal(true, { columns, rows });
  return { terminal, text: new LiveText(terminal) };
};

test('is taken back line by line as the terminal has wrapped it', () => {
  const { terminal, text } = live();
  text.append('ten chars!+');
  text.append('\nb');
  text.startOver();
  expect(terminal.stdout).toBe('ten chars!+\nb\r\u001B[2A\u001B[J');
  expect(text.text).toBe('');
});

test('on one line needs no way up', () => {
  const { terminal, text } = live();
  text.append('abc');
  text.startOver();
  expect(terminal.stdout).toBe('abc\r\u001B[J');
});

test('that has scrolled away stays, and a line says that it is told again', () => {
  const { terminal, text } = live();
  text.append('1\n2\n3\n4\n5');
  text.startOver();
  text.append('new');
  expect(terminal.stdout).toBe('1\n2\n3\n4\n5\n— starting over —\nnew');
});

test('replaces the line that told what is going on, which is not drawn over text', () => {
  const { terminal, text } = live();
  text.showStatus('Searching the whole book', asIs);
  text.append('a');
  text.showStatus('Writing', asIs);
  text.end();
  expect(terminal.stdout).toBe('Searching\r\u001B[2Ka\n');
});

test('ends at the beginning of a line, also when nothing was drawn', () => {
  const { terminal, text } = live();
  text.end();
  text.append('a\n');
  text.end();
  expect(terminal.stdout).toBe('a\n');
});

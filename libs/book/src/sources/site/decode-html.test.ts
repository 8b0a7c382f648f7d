import { expect, it } from 'vitest';
import { UnreadablePage } from '../source-errors.js';
import { decodeHtml } from './decode-html.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const HTML = 'text/html';

it.each([
  ['UTF-8 without further word', Buffer.from('<p>größer'), HTML, '<p>größer'],
  ['the header', latin1('<p>größer'), 'text/html; charset=ISO-8859-1', '<p>größer'],
  ['the header, quoted', latin1('<p>größer'), 'text/html;x=y; Charset="windows-1252"', '<p>größer'],
  ['a <meta>', latin1('<meta charset=latin1><p>ö'), HTML, '<meta charset=latin1><p>ö'],
  [
    'an old <meta>',
    latin1('<META http-equiv="Content-Type" content="text/html; charset=latin1"><p>ö'),
    HTML,
    '<META http-equiv="Content-Type" content="text/html; charset=latin1"><p>ö',
  ],
  [
    'the header before a <meta>',
    Buffer.from('<meta charset=latin1>ö'),
    'text/html; charset=utf-8',
    '<meta charset=latin1>ö',
  ],
  ['the byte order mark before all', Buffer.from('\uFEFFö'), 'text/html; charset=latin1', 'ö'],
  ['a UTF-16 mark', Buffer.from('\uFEFFö', 'utf16le'), HTML, 'ö'],
  ['not a <meta> that cannot be true', Buffer.from('<meta charset=utf-16>ö'), HTML, '<meta charset=utf-16>ö'],
  ['UTF-8 with wrong bytes, as browsers do', latin1('ö'), HTML, '\uFFFD'],
])('the character set of a page is that of %s', (_what, bytes, contentType, text) => {
  expect(decodeHtml(bytes, contentType)).toBe(text);
});

it('an unknown character set makes a page unreadable', () => {
  const decoding = () => decodeHtml(latin1('a'), 'text/html; charset=klingon');
  expect(decoding).toThrow(new UnreadablePage('Unknown character set klingon'));
});

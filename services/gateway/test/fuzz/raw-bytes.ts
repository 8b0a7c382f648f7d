import fc from 'fast-check';
import { oddText } from './json-mutations.js';

const BODY = '{"message":"Hi"}';
/** Without authentication other hosts are refused early. */
const HOST = 'Host: localhost';
const json = [HOST, 'Connection: close', 'Content-Type: application/json', 'Prefer: respond-async'];
const post = (headers: readonly string[], body: string, target = '/chat') =>
  `POST ${target} HTTP/1.1\r\n${[...json, ...headers].join('\r\n')}\r\n\r\n${body}`;
const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;

const valid = fc.constantFrom(
  post([length(BODY)], BODY),
  post(['Transfer-Encoding: chunked'], `10\r\n${BODY}\r\n0\r\n\r\n`),
  post([length(BODY), 'Expect: 100-continue'], BODY),
  `GET /threads HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
  'GET /health/live HTTP/1.0\r\n\r\n',
  `DELETE /chat/x HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`,
);

const startLine = fc
  .tuple(
    fc.constantFrom(
      'GET',
      'POST',
      'HEAD',
      'PRI',
      'CONNECT',
      'get',
      'G\tT',
      'M-SEARCH',
      'SOURCE',
      'OPTIONS',
      '',
    ),
    fc.oneof(
      oddText,
      fc.constantFrom('/', '*', '/chat', 'http://q/chat', 'q:443', '//', '/\u00e9', '?', '#'),
    ),
    fc.constantFrom(
      'HTTP/1.1',
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/1.1 ',
      'http/1.1',
      'HTTP/1.',
      'X',
      '',
    ),
  )
  .map((parts) => parts.join(' '));

const plainStart = fc.constantFrom('GET /threads HTTP/1.1', 'POST /chat HTTP/1.1');

const header = fc.oneof(
  fc.tuple(oddText, oddText).map(([name, value]) => `${name}: ${value}`),
  fc.constantFrom('Content-Length: -1', 'Content-Length: 99999999999999999999', 'Content-Length: 0x10'),
  fc.constantFrom(
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: \u000bchunked',
    'Content-Length : 4',
  ),
  fc.constantFrom(
    ' folded: yes',
    'Host: a\r\nHost: b',
    'Upgrade: h2c\r\nConnection: Upgrade',
    ': empty',
    'none',
  ),
  fc.integer({ min: 1, max: 40_000 }).map((size) => `X-Big: ${'x'.repeat(size)}`),
  fc
    .integer({ min: 1, max: 300 })
    .map((count) => Array.from({ length: count }, (_, i) => `x${i}: 1`).join('\r\n')),
);

const composed = fc
  .tuple(
    fc.oneof(startLine, plainStart),
    fc.array(header, { maxLength: 4 }),
    fc.constantFrom([HOST, 'Connection: close'], [HOST], []),
    fc.constantFrom('\r\n', '\n', '\r'),
    oddText,
  )
  .map(([first, headers, usual, newline, body]) => [first, ...usual, ...headers, '', body].join(newline));

const chunks = fc
  .array(
    fc.constantFrom('10', '0', 'g', '-1', 'ffffffffffffffffff', '1;a=b', `1;${'e'.repeat(20_000)}`, '5\n'),
  )
  .map((sizes) =>
    post(['Transfer-Encoding: chunked'], sizes.map((size) => `${size}\r\n${BODY}\r\n`).join('')),
  );

const text = fc.oneof(
  valid,
  composed,
  chunks,
  fc.tuple(valid, valid).map(([a, b]) => a + b),
);

/** Bytes for a connection: noise, or text that is almost HTTP, with some bytes changed. */
const bytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((noise) => Buffer.from(noise)),
  {
    arbitrary: fc
      .tuple(
        text,
        fc.constantFrom<BufferEncoding>('utf8', 'latin1'),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
      )
      .map(([given, encoding, changes]) => {
        const encoded = Buffer.from(given, encoding);
        for (const [at, byte] of changes) if (encoded.length > 0) encoded[at % encoded.length] = byte;
        return encoded;
      }),
    weight: 6,
  },
);

/** The same, as the pieces that are written one after the other. */
export const rawPieces: fc.Arbitrary<Buffer[]> = fc
  .tuple(bytes, fc.array(fc.nat(), { maxLength: 3 }))
  .map(([whole, cuts]) => {
    const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
    return places.slice(1).map((end, i) => whole.subarray(places[i], end));
  });

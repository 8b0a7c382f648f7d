export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/** Splits the bytes of a connection into its responses; throws if they are not HTTP. */
export function parseResponses(bytes: Buffer): RawResponse[] {
  const answers: RawResponse[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf(END_OF_HEAD);
    if (end < 0) throw new Error(`no HTTP: ${rest.subarray(0, 200).toString('latin1')}`);
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (!status) throw new Error(`no HTTP: ${first.slice(0, 200)}`);
    const headers = Object.fromEntries(lines.map(splitHeader));
    const { body, size } = readBody(rest.subarray(end + END_OF_HEAD.length), status, headers);
    answers.push({ status, headers, body: body.toString() });
    rest = rest.subarray(end + END_OF_HEAD.length + size);
  }
  return answers;
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function readBody(rest: Buffer, status: number, headers: RawResponse['headers']) {
  if (status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), size: 0 };
  if (headers['transfer-encoding'] === 'chunked') return readChunks(rest);
  const declared = headers['content-length'] === undefined ? rest.length : Number(headers['content-length']);
  // A response to HEAD has a length without a body.
  const size = rest.subarray(0, 9).toString('latin1') === 'HTTP/1.1 ' ? 0 : Math.min(declared, rest.length);
  return { body: rest.subarray(0, size), size };
}

function readChunks(rest: Buffer) {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return { body: Buffer.concat(parts), size: rest.length };
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size > 0)) return { body: Buffer.concat(parts), size: Math.min(rest.length, lineEnd + 4) };
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { mutation, oddText, textMutation } from './json-mutations.js';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  /** Whether the client goes without waiting for the answer. */
  leaves: boolean;
}

const filters = fc.record({ module: fc.constant('ros2'), url_prefix: fc.webUrl() }, { requiredKeys: [] });
const optional = {
  top_k: fc.integer({ min: 1, max: 10 }),
  similarity_threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  filters,
};

/** Mostly fit to be stored: what is not has to be refused, not to fail in the store. */
const question = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), weight: 3 },
  oddText,
);

const chatBody = fc.record(
  {
    message: question,
    session_id: fc.uuid({ version: 4 }),
    stream: fc.boolean(),
    selected_text: question,
    metadata: fc.dictionary(oddText, fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    on_disconnect: fc.constantFrom('continue', 'cancel'),
    ...optional,
  },
  { requiredKeys: ['message'], noNullPrototype: true },
);
const searchBody = fc.record(
  { query: question, ...optional },
  { requiredKeys: ['query'], noNullPrototype: true },
);

const fields = ['message', 'query', 'session_id', 'stream', 'selected_text', 'metadata', 'on_disconnect'];
const body = fc
  .tuple(
    fc.oneof(chatBody, searchBody),
    fc.oneof(
      fc.constant([]),
      fc.array(mutation([...fields, ...Object.keys(optional)]), { minLength: 1, maxLength: 3 }),
    ),
    textMutation,
  )
  .map(([valid, mutations, changeText]) => {
    let value: unknown = valid;
    for (const mutate of mutations) value = mutate({ ...(value as object) });
    return changeText(JSON.stringify(value) ?? '');
  });

/** What a client may put into a header at all; what it may not is among the raw bytes. */
const headerText = oddText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 300));

const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 7 }, arbitrary);
const headers = fc
  .record({
    'content-type': fc.oneof(
      { arbitrary: fc.constant('application/json'), weight: 24 },
      fc.constantFrom('application/json; charset=utf-16', 'application/json;charset=latin1', 'text/plain'),
      fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '*/*', ''),
      headerText,
    ),
    'content-encoding': maybe(
      fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'zstd', 'gzip, gzip', 'x'),
    ),
    prefer: maybe(fc.oneof(fc.constant('respond-async'), headerText)),
    accept: maybe(fc.oneof(fc.constant('text/event-stream'), headerText)),
    'idempotency-key': maybe(fc.oneof(fc.constantFrom('k1', 'k2', 'k3'), headerText)),
    'last-event-id': maybe(fc.oneof(fc.constantFrom('0', '1', '2', '99', '999999999', '-1'), headerText)),
    authorization: maybe(headerText),
    'x-api-key': maybe(headerText),
    'x-request-id': maybe(headerText),
    'x-forwarded-for': maybe(headerText),
    origin: maybe(fc.oneof(fc.constantFrom('https://book.example', 'null'), headerText)),
    expect: maybe(headerText),
    range: maybe(fc.constantFrom('bytes=0-1', 'bytes=9999999-', 'x')),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));

const segment = oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 500));
const runId = fc.oneof(fc.constantFrom('{run}'), fc.uuid(), segment);
const path = fc.oneof(
  { arbitrary: fc.constantFrom('/chat', '/chat/run', '/chat/stream', '/search'), weight: 8 },
  runId.map((id) => `/chat/${id}`),
  fc.tuple(runId, segment).map(([id, after]) => `/chat/${id}/stream?after=${after}`),
  fc.tuple(segment, segment).map(([limit, cursor]) => `/threads?limit=${limit}&cursor=${cursor}`),
  fc.tuple(segment, segment).map(([name, value]) => `/threads?${name}=${value}&${name}[a]=${value}`),
  segment.map((file) => `/docs/${file}`),
  segment.map((rest) => `/${rest}`),
  fc.constantFrom(
    '/threads',
    '/health/live',
    '/docs',
    '/openapi.json',
    '//chat',
    '/chat/',
    '/CHAT',
    '/%',
    '/%ff',
  ),
);

const method = (target: string) =>
  fc.oneof(
    {
      arbitrary: fc.constant(/^\/(chat(\/run|\/stream)?|search)$/.test(target) ? 'POST' : 'GET'),
      weight: 12,
    },
    fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'),
  );

export const httpRequest: fc.Arbitrary<FuzzRequest> = path
  .chain((target) => fc.tuple(fc.constant(target), method(target), headers, body, fc.nat(49)))
  .map(([target, verb, given, bytes, luck]) => ({
    method: verb,
    path: target,
    headers: given as Record<string, string>,
    body: ['GET', 'HEAD', 'TRACE'].includes(verb)
      ? undefined
      : encode(bytes, given['content-encoding'], luck),
    leaves: luck === 0,
  }));

/** As the header says, or not. */
function encode(bytes: Buffer, encoding: string | undefined, luck: number): Buffer {
  if (luck % 5 === 0) return bytes;
  if (encoding === 'gzip') return gzipSync(bytes);
  return encoding === 'br' ? brotliCompressSync(bytes) : bytes;
}

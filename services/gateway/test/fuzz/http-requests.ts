import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Credentials } from './callers.js';
import { headerText, mutation, textMutation } from './json-mutations.js';
import { FIELDS, routeRequest } from './route-requests.js';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Apart from the other headers, because they have placeholders for keys. */
  credentials: Credentials;
  body: Buffer | undefined;
  /** Whether the client leaves without waiting for the response. */
  leaves: boolean;
}

const mutations = fc.oneof(
  { arbitrary: fc.constant([]), weight: 3 },
  { arbitrary: fc.array(mutation(FIELDS), { minLength: 1, maxLength: 3 }), weight: 2 },
);

const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 7 }, arbitrary);
const headers = fc
  .record({
    'content-type': fc.oneof(
      { arbitrary: fc.constant('application/json'), weight: 24 },
      fc.constantFrom('application/json; charset=utf-16', 'application/json;charset=latin1', 'text/plain'),
      fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '*/*', ''),
      fc.constantFrom('application/merge-patch+json'),
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

const otherMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const method = fc.oneof({ arbitrary: fc.constant(undefined), weight: 12 }, fc.constantFrom(...otherMethods));

export const httpRequests = (credentials: fc.Arbitrary<Credentials>): fc.Arbitrary<FuzzRequest> =>
  fc
    .tuple(routeRequest, method, headers, credentials, mutations, textMutation, fc.nat(49))
    .map(([route, other, given, who, changes, changeText, luck]) => {
      const verb = other ?? route.method;
      let value: unknown = route.body;
      for (const mutate of changes) value = mutate({ ...(value as object) });
      const bytes = changeText(JSON.stringify(value) ?? '');
      return {
        method: verb,
        path: route.path,
        headers: given as Record<string, string>,
        credentials: who,
        body: ['GET', 'HEAD', 'TRACE'].includes(verb)
          ? undefined
          : encode(bytes, given['content-encoding'], luck),
        leaves: luck === 0,
      };
    });

/** As the header says, or not. */
function encode(bytes: Buffer, encoding: string | undefined, luck: number): Buffer {
  if (luck % 5 === 0) return bytes;
  if (encoding === 'gzip') return gzipSync(bytes);
  return encoding === 'br' ? brotliCompressSync(bytes) : bytes;
}

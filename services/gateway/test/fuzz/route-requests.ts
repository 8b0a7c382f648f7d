import fc from 'fast-check';
import { encodeCursor } from '../../src/threads/thread-cursor.js';
import { oddText } from './json-mutations.js';
import { FOREIGN_RUN, FOREIGN_THREAD, RUNS, THREADS } from './known-ids.js';

/** A request that is almost valid for its route; `{run}` in its path stands for a recently accepted run. */
export interface RouteRequest {
  method: string;
  path: string;
  /** Valid for this route or for another one. */
  body: object;
}

/** Mostly storable: other values have to be refused, not to fail in the store. */
const storable = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), weight: 3 },
  oddText,
);
const metadata = fc.dictionary(storable, fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
  noNullPrototype: true,
});

const segment = oddText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 500));
const mostly = (ids: readonly string[], ...others: fc.Arbitrary<string>[]) =>
  fc.oneof({ arbitrary: fc.constantFrom(...ids), weight: 5 }, ...others);
const threadId = mostly(THREADS, fc.constant(FOREIGN_THREAD), fc.uuid({ version: 4 }));
const threadPlace = mostly(THREADS, fc.constant(FOREIGN_THREAD), fc.uuid(), segment);
const runId = mostly(RUNS, fc.constant(FOREIGN_RUN), fc.uuid());
const runPlace = fc.oneof(fc.constant('{run}'), runId, segment);

const optional = {
  top_k: fc.integer({ min: 1, max: 10 }),
  similarity_threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  filters: fc.record({ module: fc.constant('ros2'), url_prefix: fc.webUrl() }, { requiredKeys: [] }),
};
const record = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: (keyof T)[]) =>
  fc.record(model, { requiredKeys: required, noNullPrototype: true });

const chatModel = {
  message: storable,
  session_id: threadId,
  stream: fc.boolean(),
  selected_text: storable,
  metadata,
  on_disconnect: fc.constantFrom('continue', 'cancel'),
  markup: fc.constantFrom('safe', 'raw'),
  ...optional,
};
const searchModel = { query: storable, ...optional };
const feedbackModel = { request_id: runId, rating: fc.constantFrom('up', 'down'), comment: storable };

const chatBody = record(chatModel, ['message']);
const searchBody = record(searchModel, ['query']);
const patchBody = record({ metadata }, ['metadata']);
const feedbackBody = record(feedbackModel, ['request_id', 'rating']);

/** The fields that a mutation may change. */
export const FIELDS = Object.keys({ ...chatModel, ...searchModel, ...feedbackModel });

const anyBody = fc.oneof(chatBody, searchBody, patchBody, feedbackBody);
const route = (
  method: string,
  path: string | fc.Arbitrary<string>,
  body: fc.Arbitrary<object> = anyBody,
): fc.Arbitrary<RouteRequest> =>
  fc.record({
    method: fc.constant(method),
    path: typeof path === 'string' ? fc.constant(path) : path,
    body,
  });

/** Some of these parameters, or none. */
const query = (...parameters: fc.Arbitrary<string>[]) =>
  fc
    .tuple(...parameters.map((one) => fc.option(one, { nil: undefined })))
    .map((all) => all.filter((one) => one !== undefined).join('&'))
    .map((text) => (text === '' ? '' : `?${text}`));

const cursor = fc.oneof(
  fc
    .tuple(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.uuid(),
    )
    .map(([date, id]) => encodeCursor({ updatedAt: date.toISOString().replace('Z', '000Z'), id })),
  segment,
);
const pageQuery = query(
  fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer()).map((limit) => `limit=${limit}`),
  cursor.map((text) => `cursor=${text}`),
);
const messagesQuery = query(
  fc.oneof(
    { arbitrary: fc.constant('include=archived'), weight: 4 },
    segment.map((text) => `include=${text}`),
  ),
  fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer(), segment).map((before) => `before=${before}`),
);
const joined = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((all) => all.join(''));

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

export const routeRequest: fc.Arbitrary<RouteRequest> = fc.oneof(
  weighted(4, route('POST', '/chat', chatBody)),
  weighted(3, route('POST', '/chat/run', chatBody)),
  weighted(3, route('POST', '/chat/stream', chatBody)),
  weighted(2, route('POST', '/search', searchBody)),
  weighted(2, route('POST', '/feedback', feedbackBody)),
  route('GET', joined('/chat/', runPlace)),
  route('DELETE', joined('/chat/', runPlace)),
  route(
    'GET',
    joined('/chat/', runPlace, '/stream', query(fc.oneof(fc.nat(9), segment).map((n) => `after=${n}`))),
  ),
  route('GET', joined('/threads', pageQuery)),
  route(
    'GET',
    fc.tuple(segment, segment).map(([name, value]) => `/threads?${name}=${value}&${name}[a]=${value}`),
  ),
  weighted(2, route('GET', joined('/threads/', threadPlace, messagesQuery))),
  route('GET', joined('/history/', threadPlace, messagesQuery)),
  weighted(2, route('PATCH', joined('/threads/', threadPlace), patchBody)),
  route('DELETE', joined('/threads/', threadPlace)),
  route('GET', joined('/docs/', segment)),
  route('GET', joined('/', segment)),
  route('GET', fc.constantFrom('/health/live', '/docs', '/openapi.json')),
  route('POST', fc.constantFrom('//chat', '/chat/', '/CHAT', '/%', '/%ff'), chatBody),
);

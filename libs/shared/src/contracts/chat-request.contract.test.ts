import { expect, it } from 'vitest';
import { z } from 'zod';
import { chatRequestBodySchema } from './chat-request.contract.js';

const NUL = '\u0000';
const LONE_SURROGATE = '\uD83D';
const UNSTORABLE = 'must not contain NUL characters or lone surrogates';
/** One character, two UTF-16 code units. */
const ASTRAL = '\u{1F916}';
const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Problem = [path: string, message: string];

function problemsOf(body: unknown): Problem[] {
  const parsed = chatRequestBodySchema.safeParse(body);
  return (parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
}

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** Metadata whose JSON text has exactly this many bytes. */
const metadataOf = (bytes: number, filler = 'x') => {
  const frame = Buffer.byteLength(JSON.stringify({ note: '' }));
  return { note: filler.repeat((bytes - frame) / Buffer.byteLength(filler)) };
};

it.each<[string, unknown, Problem[]]>([
  ['that is missing', {}, [['message', 'EMPTY_QUERY']]],
  ['that is empty', { message: '' }, [['message', 'EMPTY_QUERY']]],
  ['that is blank', { message: ' \t\r\n\u00a0\ufeff' }, [['message', 'EMPTY_QUERY']]],
  ['that is blank under its alias', { query: ' ' }, [['query', 'EMPTY_QUERY']]],
  ['of 1001 characters', { message: 'x'.repeat(1001) }, [['message', 'QUERY_TOO_LONG']]],
  ['of 1001 astral characters', { message: ASTRAL.repeat(1001) }, [['message', 'QUERY_TOO_LONG']]],
  ['of 1001 characters under its alias', { query: 'x'.repeat(1001) }, [['query', 'QUERY_TOO_LONG']]],
  ['given twice', { message: 'a', query: 'a' }, [['query', 'is an alias of message: send only one']]],
  ['with a NUL', { message: `a${NUL}b` }, [['message', UNSTORABLE]]],
  ['that is nothing but NUL', { message: NUL }, [['message', UNSTORABLE]]],
  ['with a lone surrogate', { message: `a${LONE_SURROGATE}` }, [['message', UNSTORABLE]]],
])('a question %s is refused', (_, body, problems) => {
  expect(problemsOf(body)).toEqual(problems);
});

it.each([
  ['of 1000 characters', 'x'.repeat(1000)],
  ['of 1000 astral characters', ASTRAL.repeat(1000)],
  ['of 1000 characters between blanks', ` ${'x'.repeat(1000)}\n`],
  ['of one character', '?'],
])('a question %s is accepted and trimmed', (_, text) => {
  expect(chatRequestBodySchema.parse({ message: text }).message).toBe(text.trim());
  expect(chatRequestBodySchema.parse({ query: text }).query).toBe(text.trim());
});

it('a body with a message only gets the default top_k and no other field', () => {
  expect(chatRequestBodySchema.parse({ message: 'Hi' })).toEqual({ message: 'Hi', top_k: 5 });
});

it.each<[string, object]>([
  ['top_k', { top_k: 1 }],
  ['top_k', { top_k: 10 }],
  ['similarity_threshold', { similarity_threshold: 0 }],
  ['similarity_threshold', { similarity_threshold: 1 }],
  ['session_id', { session_id: '7b0c3a52-6d0f-4b3e-9a55-0d9a4c1f2e33' }],
  ['filters', { filters: {} }],
  ['filters', { filters: { module: 'ros2', url_prefix: 'https://book.example/' } }],
  ['selected_text', { selected_text: ` ${'x'.repeat(19_998)} ` }],
  ['selected_text', { selected_text: ASTRAL.repeat(20_000) }],
  ['metadata', { metadata: {} }],
  ['metadata', { metadata: { a: [1, null, true, { b: 'c' }] } }],
  ['metadata', { metadata: metadataOf(4096) }],
  ['metadata', { metadata: metadataOf(4095, 'é') }],
  ['metadata', { metadata: { a: nested(9) } }],
  ['on_disconnect', { on_disconnect: 'cancel' }],
  ['markup', { markup: 'raw' }],
])('a valid %s is kept as it was sent (%#)', (_, part) => {
  expect(chatRequestBodySchema.parse({ message: 'Hi', ...part })).toMatchObject(part);
});

it.each<[path: string, part: object]>([
  ['message', { message: 5 }],
  ['message', { message: null }],
  ['stream', { stream: 'true' }],
  ['top_k', { top_k: 0 }],
  ['top_k', { top_k: 11 }],
  ['top_k', { top_k: 2.5 }],
  ['top_k', { top_k: '3' }],
  ['top_k', { top_k: null }],
  ['similarity_threshold', { similarity_threshold: -0.1 }],
  ['similarity_threshold', { similarity_threshold: 1.1 }],
  ['session_id', { session_id: 'not-a-uuid' }],
  ['session_id', { session_id: NIL }],
  ['session_id', { session_id: MAX }],
  ['session_id', { session_id: '' }],
  ['selected_text', { selected_text: '' }],
  ['selected_text', { selected_text: ' \n ' }],
  ['selected_text', { selected_text: 'x'.repeat(20_001) }],
  ['selected_text', { selected_text: ASTRAL.repeat(20_001) }],
  ['selected_text', { selected_text: `a${NUL}` }],
  ['selected_text', { selected_text: LONE_SURROGATE }],
  ['filters', { filters: { chapter: 'one' } }],
  ['filters.module', { filters: { module: '' } }],
  ['filters.module', { filters: { module: NUL } }],
  ['filters.url_prefix', { filters: { url_prefix: `https://${LONE_SURROGATE}` } }],
  ['metadata', { metadata: [] }],
  ['metadata', { metadata: 'text' }],
  ['metadata', { metadata: metadataOf(4097) }],
  ['metadata', { metadata: metadataOf(4097, 'é') }],
  ['metadata', { metadata: { [`a${NUL}`]: 1 } }],
  ['metadata', { metadata: { [LONE_SURROGATE]: 1 } }],
  ['metadata', { metadata: { a: NUL } }],
  ['metadata', { metadata: { a: [{ b: LONE_SURROGATE }] } }],
  ['metadata', { metadata: { a: [{ [NUL]: 1 }] } }],
  ['metadata', { metadata: { a: nested(10) } }],
  ['metadata', { metadata: { a: nested(2_000) } }],
  ['metadata', { metadata: { a: nested(100_000) } }],
  ['on_disconnect', { on_disconnect: 'stop' }],
  ['markup', { markup: 'html' }],
])('a malformed %s is refused (%#)', (path, part) => {
  expect(problemsOf({ message: 'Hi', ...part }).map(([where]) => where)).toEqual([path]);
});

it.each<[unknown]>([[null], [undefined], [[]], ['text'], [5]])(
  'a body that is no object (%j) is refused',
  (body) => {
    expect(problemsOf(body).map(([path]) => path)).toEqual(['']);
  },
);

it('an unknown field is refused by its name', () => {
  expect(chatRequestBodySchema.safeParse({ message: 'Hi', topk: 3 }).error?.issues).toMatchObject([
    { code: 'unrecognized_keys', keys: ['topk'] },
  ]);
});

it('all problems of a body are listed at once', () => {
  const problems = problemsOf({ session_id: 'x', top_k: 99, selected_text: ' ', filters: 5, unknown: 1 });
  expect(problems.map(([path]) => path).sort()).toEqual([
    '',
    'filters',
    'message',
    'selected_text',
    'session_id',
    'top_k',
  ]);
});

it('the request schema can be converted to JSON Schema', () => {
  const schema = z.toJSONSchema(chatRequestBodySchema, { io: 'input' });
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(Object.keys(schema.properties ?? {})).toContain('metadata');
});

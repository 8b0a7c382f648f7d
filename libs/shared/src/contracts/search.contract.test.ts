import { expect, it } from 'vitest';
import { z } from 'zod';
import { searchRequestBodySchema } from './search.contract.js';

type Problem = [path: string, message: string];

function problemsOf(body: unknown): Problem[] {
  const parsed = searchRequestBodySchema.safeParse(body);
  return (parsed.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
}

it.each<[string, unknown, Problem[]]>([
  ['that is missing', {}, [['query', 'EMPTY_QUERY']]],
  ['that is blank', { query: ' \n' }, [['query', 'EMPTY_QUERY']]],
  ['that is blank under its alias', { message: ' ' }, [['message', 'EMPTY_QUERY']]],
  ['of 1001 characters', { query: 'x'.repeat(1001) }, [['query', 'QUERY_TOO_LONG']]],
  ['of 1001 characters under its alias', { message: 'x'.repeat(1001) }, [['message', 'QUERY_TOO_LONG']]],
  ['given twice', { message: 'a', query: 'a' }, [['message', 'is an alias of query: send only one']]],
  ['with a NUL', { query: 'a\u0000' }, [['query', 'must not contain NUL characters or lone surrogates']]],
])('a search with a question %s is refused', (_, body, problems) => {
  expect(problemsOf(body)).toEqual(problems);
});

it.each(['query', 'message'])('the question of a search is accepted as %s and trimmed', (name) => {
  const text = 'x'.repeat(1000);
  expect(searchRequestBodySchema.parse({ [name]: ` ${text}\n` })).toEqual({ [name]: text, top_k: 5 });
});

it.each<[object]>([
  [{ top_k: 1 }],
  [{ top_k: 10 }],
  [{ similarity_threshold: 0 }],
  [{ similarity_threshold: 1 }],
  [{ filters: {} }],
  [{ filters: { module: 'ros2', url_prefix: 'https://book.example/' } }],
])('a search keeps %j as it was sent', (part) => {
  expect(searchRequestBodySchema.parse({ query: 'Hi', ...part })).toMatchObject(part);
});

it.each<[path: string, part: object]>([
  ['query', { query: 5 }],
  ['top_k', { top_k: 0 }],
  ['top_k', { top_k: 11 }],
  ['top_k', { top_k: '3' }],
  ['similarity_threshold', { similarity_threshold: -0.1 }],
  ['similarity_threshold', { similarity_threshold: 1.1 }],
  ['filters.module', { filters: { module: '' } }],
  ['filters', { filters: { chapter: 'one' } }],
])('a search with a malformed %s is refused (%#)', (path, part) => {
  expect(problemsOf({ query: 'Hi', ...part }).map(([where]) => where)).toEqual([path]);
});

it.each(['session_id', 'stream', 'selected_text', 'metadata', 'on_disconnect', 'markup', 'mode'])(
  'a search with the unknown field %s is refused',
  (field) => {
    expect(searchRequestBodySchema.safeParse({ query: 'Hi', [field]: 'x' }).error?.issues).toMatchObject([
      { code: 'unrecognized_keys', keys: [field] },
    ]);
  },
);

it('all problems of a search are listed at once', () => {
  const problems = problemsOf({ top_k: 99, similarity_threshold: 2, filters: { module: 1 }, unknown: 1 });
  expect(problems.map(([path]) => path).sort()).toEqual([
    '',
    'filters.module',
    'query',
    'similarity_threshold',
    'top_k',
  ]);
});

it('the search schema can be converted to JSON Schema', () => {
  const schema = z.toJSONSchema(searchRequestBodySchema, { io: 'input' });
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
});

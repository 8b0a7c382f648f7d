import { Validator } from '@seriousme/openapi-schema-validator';
import { httpStatusOf } from '@quire/shared/errors';
import { createParser } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import { schemasOf } from '../../test/document-schemas.js';
import { routeGroups, routes } from '../routes.js';
import { openApiDocument } from './openapi-document.js';
import type { MediaTypeObject } from './openapi-objects.js';

const document = openApiDocument(routeGroups, '1.2.3');
const schemas = schemasOf(document);

/** Every object of the document that has this key, with its pointer, but not those within examples. */
function placesOf(key: string, node: unknown = document, pointer: string[] = []): [string[], unknown][] {
  if (typeof node !== 'object' || node === null) return [];
  const below =
    pointer.at(-1) === 'examples'
      ? []
      : Object.entries(node).flatMap(([name, child]) => placesOf(key, child, [...pointer, name]));
  return Object.hasOwn(node, key) ? [[pointer, node], ...below] : below;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

it('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  expect({ ...result, version: validator.version }).toEqual({ valid: true, version: '3.1' });
});

it('every reference of the document resolves', () => {
  const at = (reference: string) =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document);
  const references = placesOf('$ref').map(([, node]) => (node as { $ref: string }).$ref);
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((reference) => at(reference) === undefined)).toEqual([]);
});

it('no two routes have the same method and path', () => {
  expect(operations).toHaveLength(routes.length);
});

it('every operation has its own id', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
});

describe('examples', () => {
  const withExamples = placesOf('examples') as [string[], MediaTypeObject][];

  it('every JSON body has examples', () => {
    const bodies = placesOf('application/json').map(
      ([, content]) => content as Record<string, MediaTypeObject>,
    );
    const bare = bodies.filter((content) => !content['application/json']?.examples);
    // The document itself would be its own example.
    expect(bare).toHaveLength(1);
  });

  it.each(withExamples)('the examples at %j fit their schema', (pointer, { examples = {} }) => {
    expect(Object.keys(examples).length).toBeGreaterThan(0);
    for (const [name, { value }] of Object.entries(examples)) {
      expect({ name, problems: schemas.problemsAt([...pointer, 'schema'], value) }).toEqual({
        name,
        problems: [],
      });
    }
  });

  it.each(placesOf('example') as [string[], { example: unknown }][])(
    'the example of the parameter or header %j fits its schema',
    (pointer, { example }) => {
      expect(schemas.problemsAt([...pointer, 'schema'], example)).toEqual([]);
    },
  );

  it.each(placesOf('x-streams') as [string[], Required<MediaTypeObject>][])(
    'the example streams at %j have every event, and each fits its schema',
    (pointer, media) => {
      const seen = new Set<string>();
      const parser = createParser({
        onEvent({ event = '', data }) {
          seen.add(event);
          expect(schemas.problemsAt([...pointer, 'x-events', event], JSON.parse(data))).toEqual([]);
        },
      });
      for (const { value } of Object.values(media['x-streams'])) parser.feed(value as string);
      expect([...seen].sort()).toEqual(Object.keys(media['x-events']).sort());
    },
  );
});

describe('error codes', () => {
  const described = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const codes = JSON.stringify(response).matchAll(/"error_code":\{"enum":\[([^\]]*)\]/g);
      return [...codes].flatMap(([, list]) =>
        (JSON.parse(`[${list}]`) as string[]).map((code) => `${code} ${status}`),
      );
    }),
  );

  it('the document has every error code with its status', () => {
    // No operation can refuse its own method.
    const { METHOD_NOT_ALLOWED: _status, ...sendable } = httpStatusOf;
    const known = Object.entries(sendable).map(([code, status]) => `${code} ${status}`);
    expect([...new Set(described)].sort()).toEqual(known.sort());
  });

  const headersOfStatus: Record<string, string[]> = {
    401: ['WWW-Authenticate'],
    429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    503: ['Retry-After'],
  };

  it.each(operations)('the responses of $method $path have the headers of their status', ({ operation }) => {
    for (const [status, response] of Object.entries(operation.responses)) {
      const needed = ['X-Request-Id', ...(headersOfStatus[status] ?? [])];
      expect(Object.keys(response.headers ?? {})).toEqual(expect.arrayContaining(needed));
    }
  });
});

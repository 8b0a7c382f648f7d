import { jsonValueSchema } from '@quire/shared/contracts';
import { z } from 'zod';
import type { RouteGroup } from '../http/route.js';
import { schemaReference, type JsonSchema } from './openapi-objects.js';

type Group = Pick<RouteGroup<never>, 'requests' | 'responses'>;
type Side = keyof Group;

/** The named schemas of all groups as JSON Schema; where one uses another, by reference. */
export function componentSchemas(groups: readonly Group[]): Record<string, JsonSchema> {
  return { ...convert(groups, 'requests'), ...convert(groups, 'responses') };
}

/** What may stand in a path, query or header; which text it is parsed from is not part of the description. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  const override = ({ jsonSchema }: { jsonSchema: JsonSchema }) => simplify(jsonSchema);
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { unrepresentable: 'any', override });
  return { type: 'string', ...json };
}

function convert(groups: readonly Group[], side: Side): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const group of groups) {
    for (const [id, schema] of Object.entries(group[side] ?? {})) registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: side === 'requests' ? 'input' : 'output',
    uri: (id) => schemaReference(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      simplify(jsonSchema);
      if (zodSchema === jsonValueSchema) allowAnyJson(jsonSchema);
      if (side === 'requests') describeDefault(jsonSchema);
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

const anyUuid = z.core.regexes.uuid().source;

/** Removes the bounds of JavaScript's integers, and patterns that repeat a format. */
function simplify(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === 'date-time' || schema.pattern === anyUuid) delete schema.pattern;
  delete schema.propertyNames;
}

/** A schema without constraints: generators cannot compile a type that is defined in terms of itself. */
function allowAnyJson(schema: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  schema.description = 'Any JSON value';
}

/** Generators take a property with a `default` for one that is always present, which is true of responses alone. */
function describeDefault(schema: JsonSchema): void {
  if (schema.default === undefined) return;
  const text = `Default: ${JSON.stringify(schema.default)}`;
  schema.description = schema.description === undefined ? text : `${schema.description}. ${text}`;
  delete schema.default;
}

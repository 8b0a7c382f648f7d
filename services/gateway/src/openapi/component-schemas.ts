import { jsonValueSchema } from '@quire/shared/contracts';
import { z } from 'zod';
import { schemaOf, type ApiGroup, type JsonSchema } from './api-description.js';

type Side = 'requests' | 'answers';

/** The named schemas of all groups as JSON Schema; where one uses another, by reference. */
export function componentSchemas(groups: readonly ApiGroup[]): Record<string, JsonSchema> {
  return { ...convert(groups, 'requests'), ...convert(groups, 'answers') };
}

function convert(groups: readonly ApiGroup[], side: Side): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const group of groups) {
    for (const [id, schema] of Object.entries(group[side] ?? {})) registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: side === 'requests' ? 'input' : 'output',
    uri: (id) => schemaOf(id).$ref,
    override: ({ zodSchema, jsonSchema }) => {
      quieten(jsonSchema);
      if (zodSchema === jsonValueSchema) openUp(jsonSchema);
      if (side === 'requests') describeDefault(jsonSchema);
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

const anyUuid = z.core.regexes.uuid().source;

/** Takes out what only says how JavaScript stores a number, or repeats a format as an expression. */
function quieten(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === 'date-time' || schema.pattern === anyUuid) delete schema.pattern;
  delete schema.propertyNames;
}

/** Without constraints anything is valid, and any JSON is what is meant: a type in terms of itself does not compile. */
function openUp(schema: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  schema.description = 'Any JSON value';
}

/** Generators take a property with a `default` for one that is always there, which is true of answers alone. */
function describeDefault(schema: JsonSchema): void {
  if (schema.default === undefined) return;
  const text = `Default: ${JSON.stringify(schema.default)}`;
  schema.description = schema.description === undefined ? text : `${schema.description}. ${text}`;
  delete schema.default;
}

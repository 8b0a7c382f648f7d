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
    override: ({ zodSchema, jsonSchema }) => quieten(zodSchema, jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

/** Takes out what only says how JavaScript stores a number, or repeats a format as an expression. */
function quieten(zodSchema: z.core.$ZodTypes, schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  const isOneVersion = 'version' in zodSchema._zod.def && zodSchema._zod.def.version !== undefined;
  if (schema.format === 'date-time' || (schema.format === 'uuid' && !isOneVersion)) delete schema.pattern;
  delete schema.propertyNames;
}

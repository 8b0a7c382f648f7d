import type { ErrorCode } from '@quire/shared/errors';
import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Reference = { $ref: string };
export type Schema = JsonSchema | Reference;

export type Examples = Record<string, { summary: string; value: unknown }>;

export interface MediaType {
  schema: Schema;
  examples?: Examples;
  /** Of an event stream: the schema of each event's data, by event name. */
  'x-events'?: Record<string, Reference>;
  /** Of an event stream: whole streams as they are sent. */
  'x-streams'?: Examples;
}

export interface Header {
  description: string;
  /** Of an answer: it is always there. */
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Parameter extends Header {
  name: string;
  in: 'path' | 'query' | 'header';
}

export interface Answer {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

/** One method of one path, as the group that serves it describes it. */
export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  body?: MediaType;
  /** What the body may be declared as, if not as JSON alone. */
  bodyTypes?: readonly string[];
  answers: Record<number, Answer>;
  /** What this operation can refuse with, beyond what every operation can. */
  errors: readonly ErrorCode[];
  /** Whether it answers without a key, too. */
  open?: boolean;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A group of routes: stands beside its router. The document is assembled from the groups. */
export interface ApiGroup {
  name: string;
  description: string;
  /** Schemas by the name they have in the document; requests as they are sent, answers as they are received. */
  requests?: Record<string, z.ZodType>;
  answers?: Record<string, z.ZodType>;
  paths: Record<string, Partial<Record<Method, Operation>>>;
}

export const schemaOf = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });

/** A JSON body of a named schema. */
export const json = (schema: string, examples: Examples): Record<'application/json', MediaType> => ({
  'application/json': { schema: schemaOf(schema), examples },
});

import type { z } from 'zod';
import type { Method } from '../http/route.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Reference = { $ref: string };

export type Examples = Record<string, { summary: string; value: unknown }>;

export interface MediaTypeObject {
  schema: JsonSchema | Reference;
  examples?: Examples;
  /** Of an event stream: the schema of each event's data, by event name. */
  'x-events'?: Record<string, Reference>;
  /** Of an event stream: whole streams as they are sent. */
  'x-streams'?: Examples;
}

export interface HeaderObject {
  description: string;
  /** Every response that names the header has it. */
  required?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface ParameterObject extends HeaderObject {
  name: string;
  in: 'path' | 'query' | 'header';
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaTypeObject>;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: readonly ParameterObject[];
  requestBody?: { required: true; content: Record<string, MediaTypeObject> };
  responses: Record<string, ResponseObject>;
  security?: readonly object[];
}

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  security: readonly object[];
  tags: { name: string; description: string }[];
  paths: Record<string, Partial<Record<Method, OperationObject>>>;
  components: Record<string, Record<string, unknown>>;
}

export const schemaReference = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });

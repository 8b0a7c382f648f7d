import type { ApiKeyScope } from '@quire/shared/api-keys';
import type { ErrorCode } from '@quire/shared/errors';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Examples, MediaTypeObject } from '../openapi/openapi-objects.js';
import type { SharedHeader } from '../openapi/shared-headers.js';

export type Method = 'get' | 'post' | 'patch' | 'delete';

/**
 * What a call takes of its caller's limits. `rate`: one counted request. `slot`: a slot as well, for as long as the
 * handler runs. `acceptance`: both, but the handler takes them itself, since replays are free.
 */
export type LimitClass = 'none' | 'rate' | 'slot' | 'acceptance';

export interface JsonContent<S extends z.ZodType = z.ZodType> {
  /** Has a name in its group's `requests` or `responses`. */
  schema: S;
  examples: Examples;
}

export interface Parameter<S extends z.ZodType = z.ZodType> {
  description: string;
  schema: S;
}

export interface PathParameter<S extends z.ZodType = z.ZodType> extends Parameter<S> {
  example?: string;
  /** The message of the 404 for a value that does not fit the schema. */
  notFound: string;
}

export interface ResponseDescription {
  description: string;
  /** Beyond those that follow from the status and the errors. */
  headers?: readonly SharedHeader[];
  json?: JsonContent;
  content?: Record<string, MediaTypeObject>;
}

type Parameters<P extends Parameter = Parameter> = Record<string, P>;
type ValuesOf<P extends Parameters> = { [Name in keyof P]: z.output<P[Name]['schema']> };

/** A request whose parts fit the schemas of its route. */
export interface Call<Body = unknown, Path = unknown, Query = unknown, Headers = unknown> {
  req: Request;
  res: Response;
  body: Body;
  path: Path;
  query: Query;
  headers: Headers;
}

interface Definition<
  Deps,
  Body extends z.ZodType = z.ZodType,
  Path extends Parameters<PathParameter> = Parameters<PathParameter>,
  Query extends Parameters = Parameters,
  Headers extends Parameters = Parameters,
> {
  method: Method;
  /** As in OpenAPI: `/threads/{session_id}`. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  /** What a key must be allowed to do; `open` routes need no key. */
  scope: ApiKeyScope | 'open';
  /** Absent: `none`. */
  limits?: LimitClass;
  pathParameters?: Path;
  query?: Query;
  headers?: Headers;
  body?: JsonContent<Body>;
  /** The accepted media types of the body, if not JSON alone. */
  bodyTypes?: readonly string[];
  responses: Record<number, ResponseDescription>;
  /** What the handler throws. The codes of scope, limits, body and path parameters follow from those. */
  errors?: readonly ErrorCode[];
  handle: (
    deps: Deps,
    call: Call<z.output<Body>, ValuesOf<Path>, ValuesOf<Query>, ValuesOf<Headers>>,
  ) => Promise<void> | void;
}

/** One method of one path. Express' routing, validation and the OpenAPI document are derived from it. */
export type Route<Deps> = Definition<Deps>;

/** What the handlers of all these routes need. */
export type DependenciesOf<R> = (R extends Route<infer Deps> ? (deps: Deps) => void : never) extends (
  deps: infer All,
) => void
  ? All
  : never;

/** Routes with a common heading in the document. */
export interface RouteGroup<Deps> {
  name: string;
  description: string;
  /** Schemas by the name they have in the document; those of requests as sent, those of responses as received. */
  requests?: Record<string, z.ZodType>;
  responses?: Record<string, z.ZodType>;
  routes: readonly Route<Deps>[];
}

/** Types the handler's call by the schemas beside it. */
export function route<
  Deps,
  Body extends z.ZodType = z.ZodUndefined,
  Path extends Parameters<PathParameter> = Record<string, never>,
  Query extends Parameters = Record<string, never>,
  Headers extends Parameters = Record<string, never>,
>(definition: Definition<Deps, Body, Path, Query, Headers>): Route<Deps> {
  return definition as unknown as Route<Deps>;
}

export const jsonResponse = (
  description: string,
  schema: z.ZodType,
  examples: Examples,
  headers: readonly SharedHeader[] = [],
): ResponseDescription => ({ description, headers, json: { schema, examples } });

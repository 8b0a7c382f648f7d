import { errorEnvelopeSchema } from '@quire/shared/contracts';
import type { ErrorCode } from '@quire/shared/errors';
import type { z } from 'zod';
import type {
  JsonContent,
  Parameter,
  PathParameter,
  ResponseDescription,
  Route,
  RouteGroup,
} from '../http/route.js';
import { componentSchemas, parameterSchema } from './component-schemas.js';
import { errorResponses, errorsOf } from './error-responses.js';
import {
  schemaReference,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
} from './openapi-objects.js';
import { headersOf, sharedHeaders } from './shared-headers.js';

const description = `Answers questions about a book or a documentation site, with citations that can be trusted.

Every error has the same body: \`error_code\` for programs, \`message\` for people, \`request_id\` for both. An unknown field of a
request is an error, too. 429 and 503 have a \`Retry-After\` header. An address that is not listed here returns 404, another
method than the listed ones 405 with \`METHOD_NOT_ALLOWED\` and \`Allow\` (\`HEAD\` is allowed wherever \`GET\` is). Malformed
HTTP gets the same envelope, and its connection is closed.`;

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key of `quire keys`.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key, another header.' },
};

/** The OpenAPI 3.1 document of these routes. */
export function openApiDocument(groups: readonly RouteGroup<never>[], version: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const group of groups) {
    for (const route of group.routes) {
      paths[route.path] = { ...paths[route.path], [route.method]: operationOf(group, route) };
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Quire', version, description, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    // Relative to the address of the document: behind a proxy the gateway does not know its own.
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    // The last: on loopback authentication may be off.
    security: [{ bearer: [] }, { apiKey: [] }, {}],
    tags: groups.map((group) => ({ name: group.name, description: group.description })),
    paths,
    components: {
      schemas: componentSchemas([{ responses: { Error: errorEnvelopeSchema } }, ...groups]),
      headers: sharedHeaders,
      securitySchemes,
    },
  };
}

function operationOf(group: RouteGroup<never>, route: Route<never>): OperationObject {
  const { operationId, summary, body, bodyTypes = ['application/json'] } = route;
  const codes = errorsOf(route);
  const { pathParameters = {}, headers = {}, query = {} } = route;
  const parameters = [
    ...Object.entries(pathParameters).map(([name, its]) => parameterOf('path', name, its)),
    ...Object.entries(headers).map(([name, its]) => parameterOf('header', name, its)),
    ...Object.entries(query).map(([name, its]) => parameterOf('query', name, its)),
  ];
  return {
    tags: [group.name],
    operationId,
    summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(bodyTypes.map((type) => [type, mediaType(group.requests, body)])),
      },
    }),
    responses: {
      ...errorResponses(codes),
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, response]) => [
          status,
          responseOf(group, Number(status), response, codes),
        ]),
      ),
    },
    ...(route.scope === 'open' && { security: [] }),
  };
}

function parameterOf(
  place: ParameterObject['in'],
  name: string,
  { schema, description: about, example }: Parameter & Partial<PathParameter>,
): ParameterObject {
  return {
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    description: about,
    schema: parameterSchema(schema),
    ...(example !== undefined && { example }),
  };
}

function responseOf(
  { responses }: RouteGroup<never>,
  status: number,
  { description: about, headers, json, content }: ResponseDescription,
  codes: readonly ErrorCode[],
): ResponseObject {
  return {
    description: about,
    ...((json ?? content) && {
      content: { ...(json && { 'application/json': mediaType(responses, json) }), ...content },
    }),
    headers: headersOf(status, codes, headers),
  };
}

function mediaType(
  named: Record<string, z.ZodType> = {},
  { schema, examples }: JsonContent,
): MediaTypeObject {
  const name = Object.keys(named).find((key) => named[key] === schema);
  if (name === undefined) throw new Error('The schema of a body has no name in its group');
  return { schema: schemaReference(name), examples };
}

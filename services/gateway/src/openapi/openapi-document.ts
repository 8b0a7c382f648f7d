import { errorEnvelopeSchema } from '@quire/shared/contracts';
import type { ErrorCode } from '@quire/shared/errors';
import type { ApiGroup, Answer, Method, Operation, Parameter, MediaType } from './api-description.js';
import { headersOf } from './answer-headers.js';
import { componentSchemas } from './component-schemas.js';
import { guardErrors, protocolErrors, security, securitySchemes } from './edge.openapi.js';
import { errorAnswers } from './error-answers.js';
import { sharedHeaders } from './shared-parts.js';

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: true; content: Record<string, MediaType> };
  responses: Record<string, Answer>;
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

const description = `Answers questions about a book or a documentation site, with citations that can be trusted.

Every error has the same body: \`error_code\` for programs, \`message\` for people, \`request_id\` for both. An unknown field of a
request is an error, too. 429 and 503 come with \`Retry-After\`. An address that is not listed here answers 404, another
method than the listed ones 405 with \`METHOD_NOT_ALLOWED\` and \`Allow\` (\`HEAD\` goes wherever \`GET\` does). A request
that is no HTTP is answered in the same envelope, and its connection closed.`;

/** The document of this API: an OpenAPI 3.1 description, made from the contracts that the gateway checks with. */
export function openApiDocument(groups: readonly ApiGroup[], version: string): OpenApiDocument {
  const own: ApiGroup = { name: '', description: '', answers: { Error: errorEnvelopeSchema }, paths: {} };
  return {
    openapi: '3.1.1',
    info: { title: 'Quire', version, description, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    // Relative to the address of the document: behind a proxy the gateway does not know its own.
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    security,
    tags: groups.map((group) => ({ name: group.name, description: group.description })),
    paths: Object.fromEntries(groups.flatMap((group) => Object.entries(pathsOf(group)))),
    components: {
      schemas: componentSchemas([own, ...groups]),
      headers: sharedHeaders,
      securitySchemes,
    },
  };
}

function pathsOf({ name, paths }: ApiGroup): OpenApiDocument['paths'] {
  const describe = (operations: Partial<Record<Method, Operation>>) =>
    Object.fromEntries(Object.entries(operations).map(([method, its]) => [method, operation(name, its)]));
  return Object.fromEntries(Object.entries(paths).map(([path, operations]) => [path, describe(operations)]));
}

function operation(
  tag: string,
  { body, bodyTypes = ['application/json'], answers, errors, open, ...about }: Operation,
): OperationObject {
  const codes = [...errors, ...protocolErrors, ...(open ? [] : guardErrors)];
  return {
    tags: [tag],
    ...about,
    ...(body && {
      requestBody: { required: true, content: Object.fromEntries(bodyTypes.map((type) => [type, body])) },
    }),
    responses: { ...errorAnswers(codes), ...withHeaders(answers, codes) },
    ...(open && { security: [] }),
  };
}

const withHeaders = (answers: Operation['answers'], codes: readonly ErrorCode[]): Record<string, Answer> =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...headersOf(Number(status), codes), ...answer.headers } },
    ]),
  );

import type { OpenApiDocument } from '../../src/openapi/openapi-objects.js';
import { headerProblems } from '../described-headers.js';
import { schemasOf } from '../document-schemas.js';
import type { RawResponse } from '../raw-responses.js';
import type { FoundOperation } from './operation-of.js';

/** Returns a function that finds how a response differs from what the document says of its operation. */
export function compareWithDocument(document: OpenApiDocument) {
  const schemas = schemasOf(document);
  const problemsOfHeaders = headerProblems(document);
  return (
    { name, template, method, operation }: FoundOperation,
    { status, headers, body }: RawResponse,
  ): string | undefined => {
    const described = operation.responses[String(status)];
    if (!described) return `${name} does not describe ${status}: ${body.slice(0, 200)}`;
    const [wrongHeader] = problemsOfHeaders(described, headers);
    if (wrongHeader !== undefined) return `${name} ${status}: ${wrongHeader}`;
    const type = headers['content-type']?.replace(/;.*/, '');
    if (type !== 'application/json' || template === '/openapi.json') return undefined;
    const pointer = ['paths', template, method, 'responses', String(status), 'content', type, 'schema'];
    const [problem] = schemas.problemsAt(pointer, JSON.parse(body));
    return problem && `${name} ${status} is not as described: ${problem} ${body.slice(0, 200)}`;
  };
}

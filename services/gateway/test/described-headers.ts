import type { HeaderObject, OpenApiDocument, ResponseObject } from '../src/openapi/openapi-objects.js';
import { schemasOf } from './document-schemas.js';

/** Headers of the transport and for browsers, the same on every route and no part of the API. */
const ofTheTransport = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  // helmet
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
  // CORS
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

/** Finds headers that the document does not name for this response, that are missing, or whose value does not fit. */
export function headerProblems(document: OpenApiDocument) {
  const schemas = schemasOf(document);
  const known = document.components['headers'] as Record<string, HeaderObject>;
  return ({ headers: described = {} }: ResponseObject, given: Record<string, string>): string[] => {
    const names = new Map(Object.keys(described).map((name) => [name.toLowerCase(), name]));
    const strange = Object.keys(given).filter((name) => !ofTheTransport.has(name) && !names.has(name));
    const missing = [...names].filter(([key, name]) => known[name]?.required && given[key] === undefined);
    const wrong = [...names].flatMap(([key, name]) => {
      const value = known[name]?.schema.type === 'integer' ? Number(given[key]) : given[key];
      if (given[key] === undefined) return [];
      return schemas.problemsAt(['components', 'headers', name, 'schema'], value).map((why) => name + why);
    });
    return [
      ...strange.map((name) => `${name} is not described`),
      ...missing.map(([, name]) => `${name} is missing`),
      ...wrong,
    ];
  };
}

import type { OpenApiDocument } from '../../src/openapi/openapi-document.js';
import type { Method } from '../../src/openapi/api-description.js';
import { headerProblems } from '../described-headers.js';
import { schemasOf } from '../document-schemas.js';
import type { RawAnswer } from '../raw-answers.js';

/** Finds what an answer has that the document does not say of its operation, where it has one. */
export function compareWithDocument(document: OpenApiDocument) {
  const schemas = schemasOf(document);
  const problemsOfHeaders = headerProblems(document);
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // Fixed paths win over those with a parameter, as in the router.
  templates.sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));
  return (verb: string, target: string, { status, headers, body }: RawAnswer): string | undefined => {
    const path = target.replace(/\?.*/, '');
    const template = templates.find(({ pattern }) => pattern.test(path))?.template ?? '';
    const method = verb.toLowerCase() as Method;
    const operation = document.paths[template]?.[method];
    if (!operation) return undefined;
    const answer = operation.responses[String(status)];
    if (!answer) return `${verb} ${template} does not describe ${status}: ${body.slice(0, 200)}`;
    const [wrongHeader] = problemsOfHeaders(answer, headers);
    if (wrongHeader !== undefined) return `${verb} ${template} ${status}: ${wrongHeader}`;
    const type = headers['content-type']?.replace(/;.*/, '');
    if (type !== 'application/json' || template === '/openapi.json') return undefined;
    const pointer = ['paths', template, method, 'responses', String(status), 'content', type, 'schema'];
    const [problem] = schemas.problemsAt(pointer, JSON.parse(body));
    return problem && `${verb} ${template} ${status} is not as described: ${problem} ${body.slice(0, 200)}`;
  };
}

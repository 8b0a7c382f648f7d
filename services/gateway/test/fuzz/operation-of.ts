import type { Method } from '../../src/http/route.js';
import type { OpenApiDocument, OperationObject } from '../../src/openapi/openapi-objects.js';

export interface FoundOperation {
  /** `GET /threads/{session_id}` */
  name: string;
  template: string;
  method: Method;
  operation: OperationObject;
}

export type OperationOf = (verb: string, target: string) => FoundOperation | undefined;

/** Returns a function that finds the operation of a request in the document. */
export function operationFinder(document: OpenApiDocument): OperationOf {
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // Fixed paths win over those with a parameter, as in the router.
  templates.sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));
  return (verb, target) => {
    const path = target.replace(/\?.*/, '');
    const template = templates.find(({ pattern }) => pattern.test(path))?.template ?? '';
    const method = verb.toLowerCase() as Method;
    const operation = document.paths[template]?.[method];
    return operation && { name: `${verb} ${template}`, template, method, operation };
  };
}

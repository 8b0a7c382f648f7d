import type { RequestHandler } from 'express';
import type { ApiGroup, Operation } from '../openapi/api-description.js';
import { describeProblems } from './describe-problems.js';

/**
 * Refuses every query parameter of operations that describe none, as unknown fields of a body are refused. Operations
 * that describe some parse their whole query themselves, so that one error lists all of its problems.
 */
export function refuseUndescribedQuery(
  groups: readonly ApiGroup[],
  { open }: { open: boolean },
): RequestHandler {
  const operations = groups.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => (operation.open ?? false) === open && !takesQuery(operation))
        .map(([method]) => ({ method, pattern: patternOf(path) })),
    ),
  );
  return (req, _res, next) => {
    const keys = Object.keys(req.query);
    if (keys.length === 0) return next();
    const method = req.method === 'HEAD' ? 'get' : req.method.toLowerCase();
    const refuses = operations.some((known) => known.method === method && known.pattern.test(req.path));
    if (refuses) throw describeProblems([{ code: 'unrecognized_keys', keys, path: [], message: '' }]);
    next();
  };
}

const takesQuery = ({ parameters = [] }: Operation): boolean => parameters.some((its) => its.in === 'query');

/** Like the router's: upper and lower case are the same, and a slash may follow. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
}

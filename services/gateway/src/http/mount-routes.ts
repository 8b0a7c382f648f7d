import { AccessDenied, InvalidInput, NotFound } from '@quire/shared/errors';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import type { Draining } from '../draining.js';
import type { Limits } from '../limits/limits.js';
import { withinLimits } from '../limits/request-permit.js';
import { jsonBodyReader } from './json-body.js';
import { contextOf } from './request-context.js';
import type { DependenciesOf, Parameter, PathParameter, Route } from './route.js';
import { validate } from './validate.js';

export interface RoutingDependencies {
  draining: Pick<Draining, 'refuseNewWork'>;
  limits: Pick<Limits, 'permitFor'>;
}

/**
 * Express routers of the routes that need no key and of those that do. Another method on one of their paths is a 405
 * that names the allowed ones.
 */
export function mountRoutes<R extends Route<never>>(
  routes: readonly R[],
  deps: DependenciesOf<R> & RoutingDependencies,
): { open: Router; guarded: Router } {
  const routers = { open: Router(), guarded: Router() };
  for (const path of new Set(routes.map((route) => route.path))) {
    const onPath = routes.filter((route) => route.path === path);
    const router = onPath.some(({ scope }) => scope === 'open') ? routers.open : routers.guarded;
    const mounted = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const route of onPath) mounted[route.method](handlerOf(route, deps));
    const allowed = onPath.map(({ method }) => method.toUpperCase());
    mounted.all(refuseMethod(allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))));
  }
  return routers;
}

function handlerOf(route: Route<never>, deps: RoutingDependencies): RequestHandler {
  const { limits = 'none' } = route;
  const readBody = route.body && jsonBodyReader(route.bodyTypes);
  const querySchema = z.strictObject(schemasOf(route.query));
  const headersSchema = z.object(schemasOf(route.headers));
  const headerNames = Object.keys(route.headers ?? {});
  return async (req, res) => {
    requireScope(route.scope, res);
    const query = validate(querySchema, req.query);
    await readBody?.(req, res);
    if (limits === 'slot' || limits === 'acceptance') deps.draining.refuseNewWork();
    const path = validatePath(route.pathParameters, req);
    const body = route.body && validate(route.body.schema, req.body);
    const headers = validate(headersSchema, headersOf(req, headerNames));
    const handle = () => route.handle(deps as never, { req, res, body, path, query, headers });
    if (limits === 'rate' || limits === 'slot') await withinLimits(limits, deps.limits, res, handle);
    else await handle();
  };
}

const headersOf = (req: Request, names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, req.get(name)]));

/** Without authentication there is no key, and every route is open. */
function requireScope(scope: Route<never>['scope'], res: Response): void {
  const { apiKey } = contextOf(res);
  if (scope === 'open' || !apiKey || apiKey.scopes.includes(scope)) return;
  throw new AccessDenied(
    'FORBIDDEN',
    `This API key lacks the scope \`${scope}\` that this address needs; it has \`${apiKey.scopes.join(', ')}\``,
  );
}

function validatePath(
  parameters: Record<string, PathParameter> = {},
  { params }: Request,
): Record<string, unknown> {
  const values = Object.entries(parameters).map(([name, { schema, notFound }]) => {
    const parsed = schema.safeParse(params[name]);
    if (!parsed.success) throw new NotFound('NOT_FOUND', notFound);
    return [name, parsed.data] as const;
  });
  return Object.fromEntries(values);
}

function refuseMethod(allowed: readonly string[]): RequestHandler {
  return (_req, res) => {
    res.setHeader('Allow', allowed.join(', '));
    throw new InvalidInput('METHOD_NOT_ALLOWED', `This address takes only ${allowed.join(' and ')}`);
  };
}

const schemasOf = (parameters: Record<string, Parameter> = {}): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema]));

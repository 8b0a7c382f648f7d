import { AccessDenied } from '@quire/shared/errors';
import type { Request, RequestHandler } from 'express';
import { contextOf } from '../http/request-context.js';
import type { ApiKeys } from './api-keys.js';

/** Refuses requests without a valid API key; sets the tenant, the caller and the key of the others. */
export function authenticate(apiKeys: Pick<ApiKeys, 'find'>): RequestHandler {
  return async (req, res, next) => {
    const presented = presentedKey(req);
    const apiKey = presented === undefined ? undefined : await apiKeys.find(presented);
    if (!apiKey) {
      const error = presented === undefined ? '' : ', error="invalid_token"';
      res.setHeader('WWW-Authenticate', `Bearer realm="quire"${error}`);
      throw new AccessDenied(
        'UNAUTHORIZED',
        presented === undefined
          ? 'Send an API key as `Authorization: Bearer <key>` or `X-API-Key`'
          : 'The API key is not valid',
      );
    }
    const context = contextOf(res);
    context.tenant = apiKey.tenant;
    context.caller = apiKey.callerId;
    context.apiKey = apiKey;
    next();
  };
}

/** The key of a request: `Authorization: Bearer`, or else `X-API-Key`. */
export function presentedKey(req: Pick<Request, 'get'>): string | undefined {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '') ?? [];
  return bearer ?? req.get('x-api-key');
}

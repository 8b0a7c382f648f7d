import { AccessDenied } from '@quire/shared/errors';
import type { RequestHandler } from 'express';
import { contextOf } from '../http/request-context.js';
import type { ApiKeys } from './api-keys.js';
import { presentedKey } from './presented-key.js';
import { scopeFor } from './scope-for.js';

/** Accepts requests with a valid API key of the needed scope, on behalf of the key's tenant. */
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
    const scope = scopeFor(req.path);
    if (!apiKey.scopes.includes(scope)) {
      throw new AccessDenied(
        'FORBIDDEN',
        `This API key lacks the scope \`${scope}\` that this address needs; it has \`${apiKey.scopes.join(', ')}\``,
      );
    }
    const context = contextOf(res);
    context.tenant = apiKey.tenant;
    context.caller = apiKey.callerId;
    context.apiKey = apiKey;
    next();
  };
}

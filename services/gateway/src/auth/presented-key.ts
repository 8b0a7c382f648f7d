import type { Request } from 'express';

/** The key of a request: `Authorization: Bearer`, or else `X-API-Key`. */
export function presentedKey(req: Pick<Request, 'get'>): string | undefined {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(req.get('authorization') ?? '') ?? [];
  return bearer ?? req.get('x-api-key');
}

import cors from 'cors';
import type { RequestHandler } from 'express';

const PREFLIGHT_VALID_S = 600;

/** Allows pages of these origins to use the API. Keys are sent in headers, so no cookies are needed. */
export function crossOrigin(origins: readonly string[]): RequestHandler[] {
  if (origins.length === 0) return [];
  return [
    cors({
      origin: [...origins],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: [
        'Accept',
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'Last-Event-ID',
        'Prefer',
        'X-API-Key',
      ],
      exposedHeaders: [
        'Allow',
        'Idempotent-Replayed',
        'Location',
        'Preference-Applied',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Request-Id',
      ],
      maxAge: PREFLIGHT_VALID_S,
    }),
  ];
}

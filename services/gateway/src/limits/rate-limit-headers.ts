import { WINDOW_SECONDS, type Quota } from './rate-limit.js';

export const rateLimitHeaderNames = ['RateLimit-Policy', 'RateLimit'] as const;

/** As in draft-ietf-httpapi-ratelimit-headers-10: the policy, and what is left of it for how many seconds. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetMs,
}: Pick<Quota, 'limit' | 'remaining' | 'resetMs'>): Record<(typeof rateLimitHeaderNames)[number], string> {
  return {
    'RateLimit-Policy': `"per-minute";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"per-minute";r=${remaining};t=${seconds(resetMs)}`,
  };
}

/** Never less than it takes: whoever comes back then is let in. */
export const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

import type { Response } from 'express';
import { contextOf } from '../http/request-context.js';
import type { Limits, Permit } from './limits.js';
import { WINDOW_SECONDS, type Quota } from './rate-limit.js';

type Permits = Pick<Limits, 'permitFor'>;

/** Gives `work` the permit of a request, still to be taken, and sets the headers that tell what is left of the limit. */
export async function withPermit<T>(
  limits: Permits,
  res: Response,
  work: (permit: Permit) => Promise<T>,
): Promise<T> {
  const permit = limits.permitFor(contextOf(res).apiKey);
  try {
    return await work(permit);
  } finally {
    if (permit.quota) res.setHeaders(new Headers(rateLimitHeaders(permit.quota)));
  }
}

/** Counts a request and takes a slot for it. */
export function takePermit(limits: Permits, res: Response): Promise<Permit> {
  return withPermit(limits, res, async (permit) => {
    await permit.take();
    return permit;
  });
}

/** Counts a request; refunds it and omits the headers if `work` throws. */
export function countRequest<T>(limits: Permits, res: Response, work: () => Promise<T>): Promise<T> {
  return withPermit(limits, res, async (permit) => {
    await permit.count();
    try {
      return await work();
    } catch (error) {
      permit.refund();
      permit.quota = undefined;
      throw error;
    }
  });
}

/** As in draft-ietf-httpapi-ratelimit-headers-10: the policy, and what is left of it for how many seconds. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetMs,
}: Pick<Quota, 'limit' | 'remaining' | 'resetMs'>): Record<'RateLimit-Policy' | 'RateLimit', string> {
  return {
    'RateLimit-Policy': `"per-minute";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"per-minute";r=${remaining};t=${Math.max(1, Math.ceil(resetMs / 1000))}`,
  };
}

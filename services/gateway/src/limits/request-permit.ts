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

/** Counts a request, for the class `slot` takes a slot as well, and runs its handler; refunds both if that throws. */
export async function withinLimits(
  limitClass: 'rate' | 'slot',
  limits: Permits,
  res: Response,
  serve: () => Promise<void> | void,
): Promise<void> {
  const permit = await withPermit(limits, res, async (granted) => {
    await (limitClass === 'slot' ? granted.take() : granted.count());
    return granted;
  });
  try {
    await serve();
  } catch (error) {
    permit.refund();
    if (limitClass === 'rate') for (const name of headerNames) res.removeHeader(name);
    throw error;
  } finally {
    permit.slot?.release();
  }
}

const headerNames = ['RateLimit-Policy', 'RateLimit'] as const;

/** As in draft-ietf-httpapi-ratelimit-headers-10: the policy, and what is left of it for how many seconds. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetMs,
}: Pick<Quota, 'limit' | 'remaining' | 'resetMs'>): Record<(typeof headerNames)[number], string> {
  return {
    'RateLimit-Policy': `"per-minute";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"per-minute";r=${remaining};t=${Math.max(1, Math.ceil(resetMs / 1000))}`,
  };
}

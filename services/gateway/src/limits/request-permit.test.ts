import { expect, it } from 'vitest';
import { rateLimitHeaders } from './request-permit.js';

it('The RateLimit headers name the policy and what is left of it, with seconds rounded up', () => {
  expect(rateLimitHeaders({ limit: 100, remaining: 42, resetMs: 12_001 })).toEqual({
    'RateLimit-Policy': '"per-minute";q=100;w=60',
    RateLimit: '"per-minute";r=42;t=13',
  });
});

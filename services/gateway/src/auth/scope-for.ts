import type { ApiKeyScope } from '@quire/shared/api-keys';

/** Addresses that change the index or show internals; all others belong to asking. */
const forAdmins = new Set(['documents', 'ingestions', 'admin', 'metrics']);

/** Which scope a path needs; like the router, it ignores case. */
export function scopeFor(path: string): ApiKeyScope {
  const first = path.toLowerCase().split('/').find(Boolean);
  return first !== undefined && forAdmins.has(first) ? 'admin' : 'chat';
}

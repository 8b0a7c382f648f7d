import type { ApiKeyScope } from '@quire/shared/api-keys';

/** What changes the index or shows the works; everything else is asking. */
const forAdmins = new Set(['documents', 'ingestions', 'admin', 'metrics']);

/** Which scope a path needs; like the router, it does not look at upper and lower case. */
export function scopeFor(path: string): ApiKeyScope {
  const first = path.toLowerCase().split('/').find(Boolean);
  return first !== undefined && forAdmins.has(first) ? 'admin' : 'chat';
}

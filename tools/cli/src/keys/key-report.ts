import { isValid, type ApiKey } from '@quire/shared/database';
import { plainTable } from '../golden/plain-table.js';

export const keyJson = (apiKey: ApiKey, now = Date.now()) => ({
  id: apiKey.id,
  caller_id: apiKey.callerId,
  prefix: apiKey.prefix,
  tenant: apiKey.tenant,
  name: apiKey.name,
  scopes: apiKey.scopes,
  rate_per_minute: apiKey.ratePerMinute,
  max_concurrent: apiKey.maxConcurrent,
  created_at: apiKey.createdAt.toISOString(),
  expires_at: apiKey.expiresAt?.toISOString() ?? null,
  revoked_at: apiKey.revokedAt?.toISOString() ?? null,
  valid: isValid(apiKey, now),
});

export function keysText(keys: readonly ApiKey[], now = Date.now()): string {
  if (keys.length === 0) return 'There is no key yet: make one with `quire keys create`.\n';
  const rows = keys.map((key) => [
    key.prefix,
    key.tenant,
    key.name,
    key.scopes.join(', '),
    key.ratePerMinute === null ? 'default' : `${key.ratePerMinute}/min`,
    key.maxConcurrent === null ? 'default' : `${key.maxConcurrent}`,
    stateText(key, now),
  ]);
  return plainTable(['Key', 'Tenant', 'Name', 'Scopes', 'Rate', 'At once', 'State'], rows);
}

function stateText(key: ApiKey, now: number): string {
  if (key.revokedAt) return `revoked ${shortTime(key.revokedAt)}`;
  if (!key.expiresAt) return 'valid';
  return `${isValid(key, now) ? 'valid until' : 'expired'} ${shortTime(key.expiresAt)}`;
}

/** In UTC, as everything that is stored. */
export const shortTime = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ');

import type { ColumnType, Generated } from 'kysely';
import type { ApiKeyScope } from '../api-keys/api-key.js';

/** API keys with tenant, scopes and limits; the key itself is not stored. */
export interface ApiKeyTable {
  id: string;
  /** Kept when the key is rotated. */
  caller_id: string;
  tenant: string;
  name: string;
  /** The part that may be shown. */
  prefix: string;
  hash: ColumnType<Buffer, Buffer, never>;
  scopes: ApiKeyScope[];
  /** Here and below, null means the gateway's default. */
  rate_per_minute: number | null;
  max_concurrent: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  created_at: Generated<Date>;
}

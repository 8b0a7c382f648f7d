import type { ColumnType, Generated } from 'kysely';
import type { ApiKeyScope } from '../api-keys/api-key.js';

/** Who may ask, for which tenant, and how much. The key itself is not here. */
export interface ApiKeyTable {
  id: string;
  /** Who asks with it; the key that takes its place has the same. */
  caller_id: string;
  tenant: string;
  name: string;
  /** The part of the key that may be shown. */
  prefix: string;
  hash: ColumnType<Buffer, Buffer, never>;
  scopes: ApiKeyScope[];
  /** Null: the gateway's default, here and below. */
  rate_per_minute: number | null;
  max_concurrent: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  created_at: Generated<Date>;
}

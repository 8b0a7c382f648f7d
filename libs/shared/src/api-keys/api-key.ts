import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** `qk_` and 12 characters that may be shown, then 43 secret ones. */
const FORMAT = /^(qk_[0-9a-f]{12})_[\w-]{43}$/;
const VISIBLE_BYTES = 6;
const SECRET_BYTES = 32;

export const apiKeyScopes = ['chat', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** The HMAC key of stored hashes: without it, the database alone does not allow keys to be guessed. */
export const apiKeySecretSchema = z.string().min(32, { error: 'must have at least 32 characters' });

export interface NewApiKey {
  /** Shown once, never stored. */
  key: string;
  /** Identifies the key in the database, lists and logs. */
  prefix: string;
}

export function makeApiKey(): NewApiKey {
  const prefix = `qk_${randomBytes(VISIBLE_BYTES).toString('hex')}`;
  return { key: `${prefix}_${randomBytes(SECRET_BYTES).toString('base64url')}`, prefix };
}

/** Undefined for a text that is no API key. */
export function prefixOf(key: string): string | undefined {
  return FORMAT.exec(key)?.[1];
}

/** The prefix of a whole or truncated key, or of a prefix alone. */
export function visiblePrefix(text: string): string | undefined {
  return /^qk_[0-9a-f]{12}(?=_|$)/.exec(text.trim())?.[0];
}

export function hashApiKey(key: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(key).digest();
}

export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

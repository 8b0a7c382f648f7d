import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** `qk_` and 12 characters that may be shown, then 43 that only the key's owner knows. */
const FORMAT = /^(qk_[0-9a-f]{12})_[\w-]{43}$/;
const VISIBLE_BYTES = 6;
const SECRET_BYTES = 32;

export const apiKeyScopes = ['chat', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** The server's part of every stored hash: whoever reads the database alone cannot try keys against it. */
export const apiKeySecretSchema = z.string().min(32, { error: 'must have at least 32 characters' });

export interface NewApiKey {
  /** Shown once, stored nowhere. */
  key: string;
  /** What a key is found and recognised by. */
  prefix: string;
}

export function makeApiKey(): NewApiKey {
  const prefix = `qk_${randomBytes(VISIBLE_BYTES).toString('hex')}`;
  return { key: `${prefix}_${randomBytes(SECRET_BYTES).toString('base64url')}`, prefix };
}

/** Nothing for what cannot be one of our keys. */
export function prefixOf(key: string): string | undefined {
  return FORMAT.exec(key)?.[1];
}

/** For text of which only the visible part may be used: a prefix, or a key, though it be cut off. */
export function visiblePrefix(text: string): string | undefined {
  return /^qk_[0-9a-f]{12}(?=_|$)/.exec(text.trim())?.[0];
}

export function hashApiKey(key: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(key).digest();
}

export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

import type { Metadata } from '@quire/shared/contracts';

type Json = Metadata[string];

/** RFC 7396: null removes, objects are merged, everything else replaces. */
export function mergePatch(target: Metadata, patch: Metadata): Metadata {
  const merged = new Map<string, Json>(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const present = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isObject(value)) merged.set(key, mergePatch(isObject(present) ? present : {}, value));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: Json | undefined): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

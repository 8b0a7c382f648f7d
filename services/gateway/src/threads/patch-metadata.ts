import { threadPatchSchema, type Metadata } from '@quire/shared/contracts';
import { changeMetadata, type Database, type ThreadOwner } from '@quire/shared/database';
import { validate } from '../http/validate.js';

/** Applies a merge patch; the merged metadata must be within the limits of a patch as well. */
export function patchMetadata(db: Database, owner: ThreadOwner, patch: Metadata): Promise<boolean> {
  return changeMetadata(
    db,
    owner,
    (present) => validate(threadPatchSchema, { metadata: mergePatch(present, patch) }).metadata,
  );
}

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

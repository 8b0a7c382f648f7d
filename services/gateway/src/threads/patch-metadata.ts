import { threadPatchSchema, type Metadata } from '@quire/shared/contracts';
import { changeMetadata, type Database, type ThreadOwner } from '@quire/shared/database';
import { validate } from '../http/validate.js';
import { mergePatch } from './merge-patch.js';

/** Applies a merge patch; the merged metadata must be within the limits of a patch as well. */
export function patchMetadata(db: Database, owner: ThreadOwner, patch: Metadata): Promise<boolean> {
  return changeMetadata(
    db,
    owner,
    (present) => validate(threadPatchSchema, { metadata: mergePatch(present, patch) }).metadata,
  );
}

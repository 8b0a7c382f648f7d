import { threadPatchSchema, type Metadata } from '@quire/shared/contracts';
import { changeMetadata, type Database, type ThreadOwner } from '@quire/shared/database';
import { describeProblems } from '../http/describe-problems.js';
import { mergePatch } from './merge-patch.js';

/** Applies a patch; what comes of it keeps to the rules of patches. */
export function patchMetadata(db: Database, owner: ThreadOwner, patch: Metadata): Promise<boolean> {
  return changeMetadata(db, owner, (present) => parsePatch({ metadata: mergePatch(present, patch) }));
}

/** Checks the untrusted body of `PATCH /threads/{id}`. */
export function parsePatch(body: unknown): Metadata {
  const parsed = threadPatchSchema.safeParse(body);
  if (!parsed.success) throw describeProblems(parsed.error.issues);
  return parsed.data.metadata;
}
